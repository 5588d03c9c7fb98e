import { changeEvidence, type KeptEvidence, type KeptHead } from "./evidence-shelf.ts";
import type { KeptChoice } from "./shelf.ts";

/** Evidence of an order's opening. Page and service worker both write it, so this module needs no page. */

/** Stores the first head after the acceptance, from which on the order can't be moved or dropped. */
export async function noteBound(member: string, clientOrderId: string, head: KeptHead): Promise<void> {
  await changeEvidence(member, clientOrderId, (kept) =>
    kept === undefined || kept.bound !== null ? undefined : { ...kept, bound: { ...head } },
  );
}

/**
 * Stores what was revealed and how the house answered. The head and the time of its first answer stay, and so does an
 * acknowledgement that a later answer leaves out.
 */
export async function noteReveal(
  member: string,
  clientOrderId: string,
  reveal: NonNullable<KeptEvidence["reveal"]> & { readonly at: number },
): Promise<void> {
  await changeEvidence(member, clientOrderId, (kept) => {
    if (kept === undefined) return undefined;
    const acknowledged = reveal.acknowledged ?? kept.reveal?.acknowledged ?? null;
    const head = kept.reveal === null ? reveal.head : kept.reveal.head;
    const at = kept.reveal?.at ?? reveal.at;
    return { ...kept, reveal: { ...reveal, acknowledged, at, ...(head !== undefined && { head }) } };
  });
}

/** Stores the choice that the house refused without knowing it. */
export async function noteRefusedChoice(choice: KeptChoice): Promise<void> {
  const { member, clientOrderId, nonce, direction, limitPrice } = choice;
  const refused = { nonce, direction, limitPrice };
  await changeEvidence(member, clientOrderId, (kept) => (kept === undefined ? undefined : { ...kept, refused }));
}
