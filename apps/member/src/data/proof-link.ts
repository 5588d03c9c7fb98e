import type { ProofPlaces } from "@fairtick/transparency";
import type { Search } from "../shared/navigation.tsx";

/** The screen that a proof link opens. */
export const PROOF_PATH = "/pages/proof/index" as const;

const PLACE = /^(?:0|[1-9][0-9]{0,14})$/;
/** More minutes than a one-hour order can span. */
const MINUTES_MAX = 70;

/** Returns a link to a proof that anyone can open. Its data is behind the `#`, which browsers don't send to servers. */
export function proofLink(origin: string, places: ProofPlaces): string {
  const { batch, place, accepted, settled, config, minutes, commitment } = places;
  const search = new URLSearchParams({
    batch: String(batch),
    place: String(place),
    order: commitment,
    log: [accepted, settled, config, ...minutes].join("."),
  });
  return `${origin}/#${PROOF_PATH}?${search.toString()}`;
}

/** Parses a proof link; null if it is truncated or not one of ours. */
export function readProofLink({ batch, place, order, log }: Search): ProofPlaces | null {
  const isWhole =
    [batch, place].every((text) => text !== undefined && PLACE.test(text)) &&
    order !== undefined &&
    /^[0-9a-f]{16}$/.test(order);
  const [accepted, settled, config, ...minutes] = (log ?? "").split(".");
  if (!isWhole || accepted === undefined || settled === undefined || config === undefined) return null;
  if (minutes.length > MINUTES_MAX || ![accepted, settled, config, ...minutes].every((text) => PLACE.test(text)))
    return null;
  return {
    batch: Number(batch),
    place: Number(place),
    accepted: Number(accepted),
    settled: Number(settled),
    config: Number(config),
    minutes: minutes.map(Number),
    commitment: order,
  };
}
