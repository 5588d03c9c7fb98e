import {
  batchRoot,
  calculateQuote,
  canonicalJson,
  findOffer,
  firstTradingConfig,
  merkleTree,
  orderCommitment,
  orderJson,
  toHex,
  utf8,
  type Canonical,
  type ClientId,
  type Hashes,
  type InstrumentTerms,
  type Instant,
  type MemberId,
  type MerkleTree,
  type MicroUsd,
  type OrderId,
  type Points,
  type ProposedOrder,
  type Sm1Params,
  type Tick,
} from "@fairtick/domain";
import { FIRST_SLOT_HEAD, priceLine, slotHead, slotLine } from "./acceptance.ts";
import { decideOrder, type Decided } from "./decide-order.ts";

/** For tests: orders, batches and slots of an honest house. */

/** The epoch's start, a full minute. */
export const START = 1_763_700_000_000n as Instant;
export const MINUTE = 60_000n;

export interface TestOrder {
  /** Milliseconds after START. */
  readonly at: bigint;
  readonly symbol?: string;
  readonly direction?: "up" | "down";
  readonly durationSeconds?: number;
  readonly limitPrice?: Points;
}

export interface Slot {
  readonly k: number;
  readonly time: bigint;
  readonly previous: Uint8Array;
  readonly roots: readonly Uint8Array[];
  readonly lines: string;
  readonly hash: Uint8Array;
  /** The newest batch that is bound. */
  readonly through: number;
}

export interface Batch {
  readonly number: number;
  readonly acceptedAt: Instant;
  readonly commitments: readonly Uint8Array[];
  readonly tree: MerkleTree;
  readonly root: Uint8Array;
}

export interface Placed {
  readonly order: ProposedOrder;
  readonly acceptedAt: Instant;
  readonly json: string;
  readonly nonce: Uint8Array;
  readonly batch: Batch;
  readonly place: number;
  readonly decided: Decided | null;
}

export const config = firstTradingConfig((START - 80_000n) as Instant);
const { memberRunningOrdersMax = null, ...configFigures } = config;
export const configBody = canonicalJson({
  ...configFigures,
  memberRunningOrdersMax,
  instruments: config.instruments.map(termsOf),
});

function termsOf(terms: InstrumentTerms): Readonly<Record<string, Canonical>> {
  return { ...terms, durations: terms.durations.map(({ seconds, payoutRate }) => ({ seconds, payoutRate })) };
}

export function textOf(kind: string, fields: Readonly<Record<string, Canonical>>): string {
  return canonicalJson({ ...fields, kind, v: 1 });
}

export function paramsOf(params: Sm1Params): Readonly<Record<string, Canonical>> {
  const { anchor, digits, jump, name, pull, sigma, spread, switches, symbol } = params;
  return { anchor, digits, jump, name, pull, sigma, spread, switches, symbol };
}

export function byMinute(ticks: readonly Tick[]): Map<bigint, Tick[]> {
  return Map.groupBy(ticks, (tick) => (tick.time / MINUTE) * MINUTE);
}

export function linesOf(ticks: readonly Tick[]): string {
  return ticks.map(priceLine).join("\n");
}

export function placeAll(
  hashes: Hashes,
  orders: readonly TestOrder[],
  perBatch: number,
  ticks: ReadonlyMap<string, readonly Tick[]>,
  sealedThrough: bigint | null = null,
): Placed[] {
  const placed: Placed[] = [];
  for (let from = 0; from < orders.length; from += perBatch) {
    const held = orders.slice(from, from + perBatch);
    const acceptedAt = (START + (held[0]?.at ?? 0n)) as Instant;
    const made = held.map((each, place) => makeOrder(each, from + place));
    const commitments = made.map(({ json, nonce }) => orderCommitment(hashes, nonce, json));
    const tree = merkleTree(hashes, commitments);
    const number = from / perBatch + 1;
    const batch = {
      number,
      acceptedAt,
      commitments,
      tree,
      root: batchRoot(hashes, BigInt(number), acceptedAt, tree.root),
    };
    for (const [place, { order, json, nonce }] of made.entries()) {
      const rules = config.instruments.find((each) => each.symbol === order.symbol);
      const held = ticks.get(order.symbol) ?? [];
      const decision = decideOrder({ ...order, acceptedAt }, rules?.staleExitMs ?? 0n, held, sealedThrough);
      const decided = decision.state === "decided" ? decision.decided : null;
      placed.push({ order, acceptedAt, json, nonce, batch, place, decided });
    }
  }
  return placed;
}

function makeOrder(each: TestOrder, number: number): { order: ProposedOrder; json: string; nonce: Uint8Array } {
  const terms = config.instruments.find((one) => one.symbol === (each.symbol ?? "EURUSD"));
  const offer = terms && findOffer(terms, each.durationSeconds ?? 60);
  if (terms === undefined || offer === undefined) throw new Error("not offered");
  const { stake, fee, payoutRate, profitIfWon } = calculateQuote(terms, offer, 10_000_000n as MicroUsd);
  const order: ProposedOrder = {
    orderId: BigInt(number + 1) as OrderId,
    memberId: 9n as MemberId,
    clientOrderId: `client-${number}-id` as ClientId,
    wallet: "practice",
    symbol: terms.symbol,
    direction: each.direction ?? "up",
    stake,
    fee,
    payoutRate,
    profitIfWon,
    limitPrice: each.limitPrice ?? null,
    durationSeconds: offer.seconds,
    configVersion: 1,
  };
  return { order, json: orderJson(order), nonce: utf8(`nonce ${number}`.padEnd(16, ".")) };
}

/** One slot for each moment that has ticks; it binds the batches accepted before it. */
export function makeSlots(
  hashes: Hashes,
  ticks: ReadonlyMap<string, readonly Tick[]>,
  batches: readonly Batch[],
  late: number,
): Slot[] {
  const symbols = [...ticks.keys()].sort();
  const slots: Slot[] = [];
  let previous: Uint8Array = FIRST_SLOT_HEAD;
  let through = 0;
  for (const [place, { time }] of (ticks.get(symbols[0] ?? "") ?? []).entries()) {
    const due = batches.slice(through).filter((batch) => batch.acceptedAt + BigInt(late) * 500n < time);
    through += due.length;
    const roots = due.map((batch) => batch.root);
    const lines = symbols
      .flatMap((symbol) => {
        const tick = ticks.get(symbol)?.[place];
        return tick === undefined ? [] : slotLine(symbol, tick);
      })
      .join("\n");
    const hash = slotHead(hashes, previous, roots, lines);
    const bound = batches[through - 1]?.number ?? 0;
    slots.push({ k: place + 1, time, previous, roots, lines, hash, through: bound });
    previous = hash;
  }
  return slots;
}

export function headsFields(held: readonly Slot[]): Readonly<Record<string, Canonical>> {
  const ticks: Record<string, number[]> = {};
  for (const [place, slot] of held.entries()) {
    for (const line of slot.lines.split("\n")) {
      const [symbol = "", seq = "0"] = line.split(",");
      const counts = (ticks[symbol] ??= [Number(seq), ...held.map(() => 0)]);
      counts[place + 1] = (counts[place + 1] ?? 0) + 1;
    }
  }
  return {
    batches: held.map((slot) => slot.through),
    from: held[0]?.k ?? 0,
    heads: held.map((slot) => toHex(slot.hash)),
    ticks,
    to: held.at(-1)?.k ?? 0,
  };
}

export function settledFields({
  order,
  acceptedAt,
  batch,
  place,
  decided,
}: Placed): Readonly<Record<string, Canonical>> {
  return {
    acceptedAt,
    batch: batch.number,
    direction: order.direction,
    duration: order.durationSeconds,
    entrySeq: decided?.entry?.seq ?? null,
    exitSeq: decided?.exit?.seq ?? null,
    limitPrice: order.limitPrice,
    outcome: decided?.outcome ?? "voided",
    place,
    symbol: order.symbol,
    voidReason: decided?.voidReason ?? null,
  };
}
