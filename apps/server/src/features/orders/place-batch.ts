import { randomBytes } from "node:crypto";
import {
  earliest,
  equalBytes,
  type IdSource,
  type Instant,
  type MemberId,
  merkleTree,
  NONCE_BYTES,
  orderCommitment,
  type OrderId,
  orderJson,
  type OrderRequest,
  placeOrders,
  type Wallet,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import { int8Array } from "../../platform/binary-array.ts";
import { arrayText, BEGIN, COMMIT, type Lane, ROLLBACK, type Row, type Step } from "../../platform/lane.ts";
import {
  addExposureStep,
  lockedMoneyOf,
  type LockedMoney,
  lockFor,
  type SumsBySymbol,
  type WalletToWrite,
  writeMoneySteps,
} from "../ledger/index.ts";
import type { RegionBook, RegionsInForce } from "../regions/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { type AcceptanceSwitch, stopRefusal } from "./acceptance-switch.ts";
import { nonceOf, proveBatch } from "./batch-proof.ts";
import type { ExposureView } from "./exposure.ts";
import { termsAt, type TermsCache, termsOfRows } from "./member-terms.ts";
import {
  bigintOf,
  clientKey,
  knownOfRows,
  type LockedMember,
  marketOfRows,
  type MarketReading,
  type OrderToWrite,
  writeBatchStep,
} from "./order-rows.ts";
import type { OrderWish, PlaceOutcome } from "./order-wish.ts";
import { PAYLOAD_HASH_BYTES, READ_CLOCK, READ_KNOWN, READ_LIMITS, READ_TERMS, TAKE_TICK_GATE } from "./order-sql.ts";

export interface PlaceBatchTools {
  readonly ids: IdSource;
  readonly configs: TradingConfigs;
  readonly exposure: ExposureView;
  readonly acceptance: Pick<AcceptanceSwitch, "reasons">;
  /** From here on the batch may be committed, whatever is heard of it. */
  readonly onCommit?: () => void;
  /** Signs the batch after its commit. */
  readonly signer?: AcceptanceSigner | undefined;
  readonly regions: RegionBook;
  /** What is known of members' terms; a batch reads the others. */
  readonly terms: TermsCache;
  /** Number of the exposure rows that this lane alone adds to. */
  readonly stripe: number;
}

/**
 * One transaction, two flushes. First: lock the members, then read what is judged by. Then the rules decide in Node.
 * Second: tick gate, acceptedAt and all writes, COMMIT. Throws what PostgreSQL refused, with everything rolled back.
 */
export async function placeBatch(
  lane: Lane,
  tools: PlaceBatchTools,
  wishes: readonly OrderWish[],
): Promise<PlaceOutcome[]> {
  try {
    const judged = await judgeBatch(lane, tools, wishes);
    if (judged.writes.length === 0) {
      await lane.flush([[ROLLBACK]]);
      return judged.outcomes((order) => order);
    }
    return await writeBatch(lane, tools, judged);
  } catch (error) {
    if (lane.isUsable()) await lane.flush([[ROLLBACK]]);
    throw error;
  }
}

interface JudgedBatch {
  readonly writes: readonly OrderToWrite[];
  readonly wallets: Readonly<Record<Wallet, readonly WalletToWrite[]>>;
  readonly added: SumsBySymbol;
  readonly validFrom: Instant;
  readonly validUntil: Instant;
  readonly configVersion: number;
  /** Of each wish, once it is known what the batch became. */
  outcomes(complete: (outcome: PlaceOutcome) => PlaceOutcome): PlaceOutcome[];
}

async function judgeBatch(lane: Lane, tools: PlaceBatchTools, wishes: readonly OrderWish[]): Promise<JudgedBatch> {
  const memberIds = [...new Set(wishes.map(({ memberId }) => memberId))];
  const wallets = new Set(wishes.map(({ payload }) => payload.wallet));
  const strangers = memberIds.filter((memberId) => !tools.terms.knows(memberId));
  const [, moneyRows = [], knownRows = [], clockRows = [], termsRows = [], limitRows = []] = await lane.flush([
    [BEGIN],
    [lockFor(wallets), [int8Array(memberIds)]],
    [
      READ_KNOWN,
      [int8Array(wishes.map(({ memberId }) => memberId)), arrayText(wishes.map(({ clientOrderId }) => clientOrderId))],
    ],
    [READ_CLOCK, [arrayText([...new Set(wishes.map(({ payload }) => payload.symbol))])]],
    ...readTermsSteps(strangers),
  ]);
  crashPoint("orders.locked");
  const known = knownOfRows(knownRows);
  const market = marketOfRows(clockRows);
  const money = lockedMoneyOf(moneyRows, wallets);
  keepTerms(tools, money, termsRows, limitRows);
  const outdated = money.filter(({ memberId, termsVersion }) => !tools.terms.find(memberId, termsVersion));
  if (outdated.length > 0) {
    const [terms = [], limits = []] = await lane.flush(readTermsSteps(outdated.map(({ memberId }) => memberId)));
    keepTerms(tools, outdated, terms, limits);
  }
  const regions = await tools.regions.bindingAt(market.now, market.newestRegions);
  const placing = (locked: LockedMoney) => placingMember(tools, regions, locked, market.now);
  const members = new Map(money.map((locked) => [locked.memberId, placing(locked)]));
  const stopped = stopRefusal(tools.acceptance);
  const outcomes: (PlaceOutcome | null)[] = wishes.map((wish) => {
    const before = known.get(clientKey(wish.memberId, wish.clientOrderId));
    if (before !== undefined) {
      return equalBytes(before.payloadHash, wish.payloadHash.subarray(0, PAYLOAD_HASH_BYTES))
        ? { kind: "known", orderId: before.orderId }
        : { kind: "refused", refusal: { error: "CLIENT_ID_REUSED" } };
    }
    if (stopped !== null) return { kind: "refused", refusal: stopped };
    return members.has(wish.memberId) ? null : { kind: "refused", refusal: { error: "NOT_FOUND" } };
  });
  return decide(tools, wishes, outcomes, members, market, regions.nextAt);
}

function readTermsSteps(memberIds: readonly MemberId[]): Step[] {
  if (memberIds.length === 0) return [];
  const ids = int8Array(memberIds);
  return [
    [READ_TERMS, [ids]],
    [READ_LIMITS, [ids]],
  ];
}

/** The rows were read under the locks of `money`, so they are what its versions stand for. */
function keepTerms(
  { terms }: PlaceBatchTools,
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

function placingMember(
  { terms }: PlaceBatchTools,
  regions: RegionsInForce,
  locked: LockedMoney,
  now: Instant,
): LockedMember {
  const own = terms.find(locked.memberId, locked.termsVersion);
  if (own === undefined) throw new Error(`member ${locked.memberId} has money and no terms`);
  return { ...termsAt(own, regions, now), wallets: locked.wallets, memberSeq: locked.memberSeq };
}

async function decide(
  tools: PlaceBatchTools,
  wishes: readonly OrderWish[],
  outcomes: (PlaceOutcome | null)[],
  members: ReadonlyMap<MemberId, LockedMember>,
  market: MarketReading,
  nextRegionsAt: Instant | null,
): Promise<JudgedBatch> {
  const { config, nextConfigAt } = await tools.configs.bindingAt(market.now, market.newestConfig);
  const open = wishes.flatMap((wish, index) => (outcomes[index] === null ? [{ wish, index }] : []));
  const requests = open.map(({ wish }): OrderRequest => ({
    ...wish.payload,
    orderId: tools.ids.next() as OrderId,
    memberId: wish.memberId,
    clientOrderId: wish.clientOrderId,
    payloadHash: wish.payloadHash,
  }));
  const { placements, validFrom, validUntil } = placeOrders(requests, members, {
    config,
    nextConfigAt: earliest(nextConfigAt, nextRegionsAt),
    now: market.now,
    lastTickTimes: market.lastTickTimes,
    pools: tools.exposure.pools,
    exposure: tools.exposure.current(),
  });

  const writes: OrderToWrite[] = [];
  const wallets = { practice: new Map<MemberId, WalletToWrite>(), real: new Map<MemberId, WalletToWrite>() };
  const seqs = new Map<MemberId, bigint>();
  const added = { practice: new Map<string, bigint>(), real: new Map<string, bigint>() };
  /** Index of an accepted placement → its place in the batch. */
  const places = new Map<number, number>();
  for (const [number, placement] of placements.entries()) {
    const target = open[number];
    if (target === undefined) continue;
    if (placement.kind === "refused") outcomes[target.index] = placement;
    if (placement.kind !== "accepted") continue;
    const { order, walletAfter } = placement;
    const memberSeq = (seqs.get(order.memberId) ?? members.get(order.memberId)?.memberSeq ?? 0n) + 1n;
    seqs.set(order.memberId, memberSeq);
    places.set(number, writes.length);
    writes.push({ order, memberSeq, availableAfter: walletAfter.available, payloadHash: target.wish.payloadHash });
    wallets[order.wallet].set(order.memberId, { memberId: order.memberId, memberSeq, after: walletAfter });
    const sums = added[order.wallet];
    sums.set(order.symbol, (sums.get(order.symbol) ?? 0n) + order.profitIfWon);
  }
  return {
    writes,
    wallets: { practice: [...wallets.practice.values()], real: [...wallets.real.values()] },
    added,
    validFrom: validFrom ?? market.now,
    validUntil: validUntil ?? market.now,
    configVersion: config.version,
    outcomes(complete) {
      for (const [number, placement] of placements.entries()) {
        const target = open[number];
        if (target === undefined || placement.kind === "refused") continue;
        const first = placement.kind === "same" ? placement.index : number;
        const place = places.get(first);
        const written = place === undefined ? undefined : writes[place];
        if (place === undefined || written === undefined) throw new Error("an accepted order was not written");
        outcomes[target.index] =
          placement.kind === "same"
            ? { kind: "known", orderId: written.order.orderId }
            : complete({
                kind: "accepted",
                order: { ...written.order, acceptedAt: market.now },
                batchNo: 0n,
                batchPlace: place,
                proof: null,
              });
      }
      return outcomes.map((outcome) => {
        if (outcome === null) throw new Error("a wish was left without an outcome");
        return outcome;
      });
    },
  };
}

async function writeBatch(lane: Lane, tools: PlaceBatchTools, judged: JudgedBatch): Promise<PlaceOutcome[]> {
  const { writes, wallets, added } = judged;
  const nonces = randomBytes(NONCE_BYTES * writes.length);
  const commitments = writes.map(({ order }, index) =>
    orderCommitment(nodeHashes, nonces.subarray(index * NONCE_BYTES, (index + 1) * NONCE_BYTES), orderJson(order)),
  );
  const tree = merkleTree(nodeHashes, commitments);
  const steps: Step[] = [
    [TAKE_TICK_GATE],
    writeBatchStep({
      orders: writes,
      validFrom: judged.validFrom,
      validUntil: judged.validUntil,
      configVersion: judged.configVersion,
      commitments,
      merkleRoot: tree.root,
      nonces,
    }),
    ...writeMoneySteps(wallets),
    addExposureStep(tools.stripe, added),
    [COMMIT],
  ];
  crashPoint("orders.judged");
  const claim = tools.exposure.claim(added);
  try {
    tools.onCommit?.();
    const [, written = []] = await lane.flush(steps);
    crashPoint("orders.committed");
    claim.commit();
    const batchNo = bigintOf(written[0]?.[0]);
    const acceptedAt = bigintOf(written[0]?.[1]) as Instant;
    const root = written[0]?.[2];
    const batch = tools.signer && root instanceof Buffer ? proveBatch(tools.signer, root, tree) : null;
    return judged.outcomes((outcome) => {
      if (outcome.kind !== "accepted") return outcome;
      const proof = batch && { batch, nonce: nonceOf(nonces, outcome.batchPlace) };
      return { ...outcome, batchNo, order: { ...outcome.order, acceptedAt }, proof };
    });
  } catch (error) {
    claim.drop();
    throw error;
  }
}
