import type { AgreedOrder, Instant, Points, Settlement } from "@fairtick/domain";
import { expect, it } from "vitest";
import { createPauseBook, findLate } from "./late-settlements.ts";

const entry = { seq: 7n, time: 1_000_400n as Instant, price: 5n as Points };
/** Makes the row of an order that is due at 1,060,400. */
function row(revealedAt: bigint | null = null) {
  const order = { acceptedAt: 1_000_000n, durationSeconds: 60 } as AgreedOrder;
  const settlement = { entry, outcome: "won", voidReason: null } as Settlement;
  const reveal = revealedAt === null ? null : { nonce: new Uint8Array(32), at: revealedAt as Instant };
  return { order, settlement, reveal };
}
const at = (time: bigint) => time as Instant;

it("reports orders settled more than ten seconds after they were due, with their number", () => {
  expect(findLate(at(1_070_400n), [row(), row()], [])).toBeNull();
  expect(findLate(at(1_070_401n), [row(), row(1_065_000n)], [])).toMatchObject({
    at: 1_070_401n,
    from: 1_060_400n,
    to: 1_070_401n,
    part: "settlement",
    orders: 1,
  });
});

it("reports each pause once, and a later pause again", () => {
  const book = createPauseBook();
  book.add({ from: 1_060_400n, to: 1_200_000n });
  expect(findLate(at(1_210_000n), [row()], book.list())).toBeNull();
  expect(findLate(at(1_210_001n), [row()], book.list())).toMatchObject({ from: 1_200_000n, to: 1_210_001n });
});
