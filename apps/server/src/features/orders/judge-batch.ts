import {
  earliest,
  type IdSource,
  type Instant,
  isWishFor,
  type MemberId,
  type OrderId,
  type OrderRequest,
  placeOrders,
  type RefusedWish,
  type Refusal,
  type ProposedOrder,
  type Vouched,
  type Wallet,
} from "@fairtick/domain";
import { int8Array, uuidArray } from "../../platform/binary-array.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import { arrayText, BEGIN, type Lane, type Row, type Step, type Value } from "../../platform/lane.ts";
import { lockedMoneyOf, type LockedMoney, lockFor, type SumsBySymbol, type WalletToWrite } from "../ledger/index.ts";
import type { RegionBook, RegionsInForce } from "../regions/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { type AcceptanceSwitch, stopRefusal } from "./acceptance-switch.ts";
import { finalOutcomes, refusalsOf, takeAccepted, walletsToWrite } from "./batch-outcomes.ts";
import { clientKeyOf } from "./client-key.ts";
import type { ExposureView } from "./exposure.ts";
import { termsAt, type TermsCache, termsOfRows } from "./member-terms.ts";
import {
  type KnownOrders,
  knownOfRows,
  type LockedMember,
  marketOfRows,
  type MarketReading,
  type OrderToWrite,
  type SeenLookUp,
  seenOfRows,
} from "./order-rows.ts";
import type { OrderWish, PlaceOutcome } from "./order-wish.ts";
import { READ_CLOCK, READ_KNOWN, READ_LIMITS, READ_SEEN, READ_TERMS } from "./order-sql.ts";

export interface JudgeTools {
  readonly ids: IdSource;
  readonly configs: TradingConfigs;
  readonly exposure: ExposureView;
  readonly acceptance: Pick<AcceptanceSwitch, "reasons">;
  readonly regions: RegionBook;
  /** Cached terms of members; the batch reads those that are missing. */
  readonly terms: TermsCache;
}

export interface JudgedBatch {
  readonly writes: readonly OrderToWrite[];
  readonly wallets: Readonly<Record<Wallet, readonly WalletToWrite[]>>;
  readonly added: SumsBySymbol;
  readonly validFrom: Instant;
  readonly validUntil: Instant;
  readonly configVersion: number;
  /** Reasons of the refused wishes, in batch order. */
  readonly refusals: readonly RefusedWish[];
  /**
   * Builds the outcomes once the batch is written.
   *
   * @param accepted returns the answer for an order, by its index among the orders
   * @param refused returns the answer for a refusal, by its index among the refusals
   */
  outcomes(
    accepted: (order: ProposedOrder, place: number) => PlaceOutcome,
    refused: (refusal: Refusal, place: number) => PlaceOutcome,
  ): PlaceOutcome[];
}

/** Later than any possible acceptance time. */
const ALWAYS = 9_007_199_254_740_991n as Instant;

/** Whether to look up all client ids first, or only those of wishes that would be refused. */
export type LookUp = "all" | "refused";

/**
 * Opens the batch's transaction, locks its members, reads the data to judge by and applies the rules. With "refused", an accepted
 * wish may turn out to be a resend: the unique key then rejects the write.
 */
export async function judgeBatch(
  lane: Lane,
  tools: JudgeTools,
  wishes: readonly OrderWish[],
  lookUp: LookUp,
): Promise<JudgedBatch> {
  const memberIds = [...new Set(wishes.map(({ memberId }) => memberId))];
  const wallets = new Set(wishes.map(({ payload }) => payload.wallet));
  const strangers = memberIds.filter((memberId) => !tools.terms.knows(memberId));
  const [, moneyRows = [], clockRows = [], seenRows = [], ...others] = await lane.flush([
    [BEGIN],
    [lockFor(wallets), [int8Array(memberIds)]],
    [READ_CLOCK, [arrayText([...new Set(wishes.map(({ payload }) => payload.symbol))])]],
    [READ_SEEN, seenBy(wishes)],
    ...readTermsSteps(strangers),
    ...(lookUp === "all" ? [readKnownStep(wishes)] : []),
  ]);
  crashPoint("orders.locked");
  const signed = await signaturesOf(wishes);
  const market = marketOfRows(clockRows);
  const money = lockedMoneyOf(moneyRows, wallets);
  if (strangers.length > 0) keepTerms(tools, money, others[0] ?? [], others[1] ?? []);
  const regions = await tools.regions.bindingAt(market.now, market.newestRegions);
  const members = new Map<MemberId, LockedMember>();
  const outdated = addMembers(members, tools, regions, money, market.now);
  if (outdated.length > 0) {
    await readOutdated(lane, tools, outdated);
    const [unread] = addMembers(members, tools, regions, outdated, market.now);
    if (unread !== undefined) throw new Error(`member ${unread.memberId} has money and no terms`);
  }
  const read = { members, market, nextRegionsAt: regions.nextAt, seenAt: seenOfRows(seenRows), signed };
  const decideWith = (known: KnownOrders) => decide(tools, wishes, firstOutcomes(tools, wishes, members, known), read);
  if (lookUp === "all") return decideWith(knownOfRows(others.at(-1) ?? []));
  const judged = await decideWith(knownOfRows([]));
  if (judged.refusals.length === 0) return judged;
  const [knownRows = []] = await lane.flush([readKnownStep(wishes)]);
  return knownRows.length === 0 ? judged : decideWith(knownOfRows(knownRows));
}

/** Returns the parameters of READ_SEEN: each slot and symbol that sealed wishes name together, once. */
function seenBy(wishes: readonly OrderWish[]): [slots: Value, symbols: Value] {
  const pairs = new Map<string, readonly [slot: bigint, symbol: string]>();
  for (const { payload } of wishes) {
    const slot = payload.sealed?.seenSlot;
    if (slot !== undefined) pairs.set(`${slot} ${payload.symbol}`, [slot, payload.symbol]);
  }
  const seen = [...pairs.values()];
  return [int8Array(seen.map(([slot]) => slot)), arrayText(seen.map(([, symbol]) => symbol))];
}

/** Waits for signature checks. They began before the batch, so most are done by the time its rows are read. */
async function signaturesOf(wishes: readonly OrderWish[]): Promise<readonly boolean[]> {
  const signed: boolean[] = [];
  for (const { isSigned } of wishes) signed.push(typeof isSigned === "boolean" ? isSigned : await isSigned);
  return signed;
}

/** Reads the terms of members whose cached terms are outdated. */
async function readOutdated(lane: Lane, tools: JudgeTools, outdated: Parameters<typeof keepTerms>[1]): Promise<void> {
  const [terms = [], limits = []] = await lane.flush(readTermsSteps(outdated.map(({ memberId }) => memberId)));
  keepTerms(tools, outdated, terms, limits);
}

/** Outcomes known before the rules run: resends, refusals, unknown members. Null means the rules decide. */
function firstOutcomes(
  { acceptance }: JudgeTools,
  wishes: readonly OrderWish[],
  members: ReadonlyMap<MemberId, LockedMember>,
  known: KnownOrders,
): (PlaceOutcome | null)[] {
  const stopped = stopRefusal(acceptance);
  return wishes.map((wish) => {
    const before = known.size === 0 ? undefined : known.find(wish.memberId, wish.clientOrderId);
    if (before !== undefined) {
      return isWishFor(wish.payload, before.payload)
        ? { kind: "known", orderId: before.orderId }
        : { kind: "refused", refusal: { error: "CLIENT_ID_REUSED" } };
    }
    if (stopped !== null) return { kind: "refused", refusal: stopped };
    return members.has(wish.memberId) ? null : { kind: "refused", refusal: { error: "NOT_FOUND" } };
  });
}

function readKnownStep(wishes: readonly OrderWish[]): Step {
  const memberIds = int8Array(wishes.map(({ memberId }) => memberId));
  return [READ_KNOWN, [memberIds, uuidArray(wishes.map(({ clientOrderId }) => clientKeyOf(clientOrderId)))]];
}

function readTermsSteps(memberIds: readonly MemberId[]): Step[] {
  if (memberIds.length === 0) return [];
  const ids = int8Array(memberIds);
  return [
    [READ_TERMS, [ids]],
    [READ_LIMITS, [ids]],
  ];
}

/** Caches terms under the versions in `money`, since both were read under the same locks. */
function keepTerms(
  { terms }: JudgeTools,
  money: readonly LockedMoney[],
  termsRows: readonly Row[],
  limitRows: readonly Row[],
): void {
  if (termsRows.length === 0) return;
  const read = termsOfRows(termsRows, limitRows);
  for (const { memberId, termsVersion } of money) {
    const own = read.get(memberId);
    if (own !== undefined) terms.keep(memberId, termsVersion, own);
  }
}

/** Adds members with cached terms to `members` and returns the rest. */
function addMembers(
  members: Map<MemberId, LockedMember>,
  { terms }: JudgeTools,
  regions: RegionsInForce,
  money: readonly LockedMoney[],
  now: Instant,
): LockedMoney[] {
  return money.filter((locked) => {
    const { memberId, termsVersion, wallets, memberSeq } = locked;
    const own = terms.find(memberId, termsVersion);
    if (own !== undefined) members.set(memberId, { ...termsAt(own, regions, now), wallets, memberSeq });
    return own === undefined;
  });
}

/** Data that a batch reads before it is judged. */
interface Reading {
  readonly members: ReadonlyMap<MemberId, LockedMember>;
  readonly market: MarketReading;
  readonly nextRegionsAt: Instant | null;
  readonly seenAt: SeenLookUp;
  /** Whether each wish of the batch was signed by its device. */
  readonly signed: readonly boolean[];
}

async function decide(
  tools: JudgeTools,
  wishes: readonly OrderWish[],
  outcomes: (PlaceOutcome | null)[],
  { members, market, nextRegionsAt, seenAt, signed }: Reading,
): Promise<JudgedBatch> {
  const { config, nextConfigAt } = await tools.configs.bindingAt(market.now, market.newestConfig);
  const vouchedOf = ({ payload: { sealed, symbol }, memberId }: OrderWish, index: number): Vouched | null =>
    sealed && {
      isOwnDevice: members.get(memberId)?.devices.has(sealed.deviceId) === true,
      isSigned: signed[index] === true,
      seenAt: seenAt(symbol, sealed),
    };
  const open = wishes.flatMap((wish, index) => (outcomes[index] === null ? [{ wish, index }] : []));
  const requests = open.map(({ wish, index }): OrderRequest => ({
    ...wish.payload,
    orderId: tools.ids.next() as OrderId,
    memberId: wish.memberId,
    clientOrderId: wish.clientOrderId,
    vouched: vouchedOf(wish, index),
  }));
  const { placements, changes, validFrom, validUntil } = placeOrders(requests, members, {
    config,
    nextConfigAt: earliest(nextConfigAt, nextRegionsAt),
    now: market.now,
    lastTickTimes: market.lastTickTimes,
    pools: tools.exposure.pools,
    exposure: tools.exposure.current(),
  });

  const { writes, added, places } = takeAccepted(placements, open, outcomes);
  return {
    writes,
    wallets: walletsToWrite(changes),
    added,
    // A batch of refusals only is valid at any time.
    validFrom: validFrom ?? (0n as Instant),
    validUntil: validUntil ?? ALWAYS,
    configVersion: config.version,
    refusals: refusalsOf(wishes, outcomes),
    outcomes(accepted, refused) {
      for (const [number, placement] of placements.entries()) {
        const target = open[number];
        if (target === undefined || placement.kind === "refused") continue;
        const place = places[placement.kind === "same" ? placement.index : number];
        const written = place === undefined ? undefined : writes[place];
        if (place === undefined || written === undefined) throw new Error("an accepted order was not written");
        outcomes[target.index] =
          placement.kind === "same"
            ? { kind: "known", orderId: written.order.orderId }
            : accepted(written.order, place);
      }
      return finalOutcomes(outcomes, refused);
    },
  };
}
