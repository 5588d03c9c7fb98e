import type { ProofPlaces } from "@fairtick/transparency";
import type { Search } from "../shared/navigation.tsx";

/** The screen that a link to a proof leads to. */
export const PROOF_PATH = "/pages/proof/index" as const;

const PLACE = /^(?:0|[1-9][0-9]{0,14})$/;
/** More minutes than an hour's order has. */
const MINUTES_MAX = 70;

/** The link that anybody can open. What it names stands behind the `#`, which no browser sends to a server. */
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

/** What a link names; null where it is cut or no link of ours. */
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
