import type { ProofPlaces } from "@fairtick/transparency";
import type { Search } from "../shared/navigation.tsx";

/** The screen that a proof link opens. */
export const PROOF_PATH = "/pages/proof/index" as const;

const PLACE = /^(?:0|[1-9][0-9]{0,14})$/;
/**
 * Four ticks decide an order: the last one before its acceptance and the first one after it, and the same two of its
 * expiry. A receipt names only their minutes. More would only make a stranger's browser fetch more of the log.
 */
const MINUTES_MAX = 4;

/**
 * Returns a link to a proof that anyone can open. Its data is behind the `#`, which browsers don't send to servers. The
 * commitment comes last, because its length is fixed: a link that was cut off lacks some of it.
 */
export function proofLink(origin: string, places: ProofPlaces): string {
  const { batch, place, accepted, settled, config, minutes, commitment } = places;
  const search = new URLSearchParams({
    batch: String(batch),
    place: String(place),
    log: [accepted, settled, config, ...minutes].join("."),
    order: commitment,
  });
  return `${origin}/#${PROOF_PATH}?${search.toString()}`;
}

/**
 * Parses a proof link; null if it is truncated or not one of ours. In older links, `log` comes last, so a
 * cut there can't be detected: their proof is then open, since it doesn't lead to the prices or the rules.
 */
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
