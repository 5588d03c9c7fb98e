import { changeEvidence, type KeptEvidence, type KeptHead } from "./evidence-shelf.ts";
import type { KeptChoice } from "./shelf.ts";

/** What is kept of an order's opening. Page and service worker both write it, so it needs nothing of a page. */

/** The first head after the acceptance: the order cannot be moved or dropped from there on. */
export async function noteBound(member: string, clientOrderId: string, head: KeptHead): Promise<void> {
  await changeEvidence(member, clientOrderId, (kept) =>
    kept === undefined || kept.bound !== null ? undefined : { ...kept, bound: { ...head } },
  );
}

/** What was told when the order was opened, and the house's signed word that it was. */
export async function noteReveal(
  member: string,
  clientOrderId: string,
  reveal: NonNullable<KeptEvidence["reveal"]>,
): Promise<void> {
  await changeEvidence(member, clientOrderId, (kept) => (kept === undefined ? undefined : { ...kept, reveal }));
}

/** What the house refused without having heard it. */
export async function noteRefusedChoice(choice: KeptChoice): Promise<void> {
  const { member, clientOrderId, nonce, direction, limitPrice } = choice;
  const refused = { nonce, direction, limitPrice };
  await changeEvidence(member, clientOrderId, (kept) => (kept === undefined ? undefined : { ...kept, refused }));
}
