import {
  type MemberChange,
  type placeOrders,
  type RefusedWish,
  type Refusal,
  type Wallet,
  WALLETS,
} from "@fairtick/domain";
import type { WalletToWrite } from "../ledger/index.ts";
import type { LockedMember, OrderToWrite } from "./order-rows.ts";
import type { OrderWish, PlaceOutcome } from "./order-wish.ts";

/** The rules' verdict on each wish that they decided. */
type Placements = ReturnType<typeof placeOrders<LockedMember>>["placements"];

/** Sorts verdicts: refusals become outcomes at once, accepted orders become rows to write and sums to add to the exposure. */
export function takeAccepted(
  placements: Placements,
  open: readonly { readonly index: number }[],
  outcomes: (PlaceOutcome | null)[],
) {
  const writes: OrderToWrite[] = [];
  const added = { practice: new Map<string, bigint>(), real: new Map<string, bigint>() };
  /** Place in the batch of each accepted placement. */
  const places: number[] = [];
  for (const [number, placement] of placements.entries()) {
    const target = open[number];
    if (target === undefined) continue;
    if (placement.kind === "refused") outcomes[target.index] = placement;
    if (placement.kind !== "accepted") continue;
    const { order, member, walletAfter, nth } = placement;
    places[number] = writes.length;
    writes.push({ order, memberSeq: member.memberSeq + BigInt(nth), availableAfter: walletAfter.available });
    const sums = added[order.wallet];
    sums.set(order.symbol, (sums.get(order.symbol) ?? 0n) + order.profitIfWon);
  }
  return { writes, added, places };
}

/** Gives each refusal its proof. Throws if a wish has no outcome. */
export function finalOutcomes(
  outcomes: readonly (PlaceOutcome | null)[],
  refused: (refusal: Refusal, place: number) => PlaceOutcome,
): PlaceOutcome[] {
  let refusals = 0;
  return outcomes.map((outcome) => {
    if (outcome === null) throw new Error("a wish was left without an outcome");
    return outcome.kind === "refused" ? refused(outcome.refusal, refusals++) : outcome;
  });
}

export function refusalsOf(wishes: readonly OrderWish[], outcomes: readonly (PlaceOutcome | null)[]): RefusedWish[] {
  return wishes.flatMap(({ payload, memberId, clientOrderId }, index) => {
    const outcome = outcomes[index];
    if (outcome?.kind !== "refused") return [];
    return { wish: { ...payload, memberId, clientOrderId }, reason: outcome.refusal.error };
  });
}

export function walletsToWrite(changes: readonly MemberChange<LockedMember>[]): Record<Wallet, WalletToWrite[]> {
  const rows: Record<Wallet, WalletToWrite[]> = { practice: [], real: [] };
  for (const { memberId, member, accepted, wallets } of changes) {
    const memberSeq = member.memberSeq + BigInt(accepted);
    for (const wallet of WALLETS) {
      const after = wallets[wallet];
      if (after !== undefined) rows[wallet].push({ memberId, memberSeq, after });
    }
  }
  return rows;
}
