import {
  batchRoot,
  calculateQuote,
  canonicalJson,
  findOffer,
  firstTradingConfig,
  formerBatchRoot,
  formerOrderCommitment,
  formerOrderJson,
  merkleTree,
  orderCommitment,
  privateHash,
  privateJson,
  sealOf,
  termsHash,
  termsJson,
  termsOf,
  toHex,
  utf8,
  type Canonical,
  type Choice,
  type ClientId,
  type Hashes,
  type InstrumentTerms,
  type Instant,
  type MerkleTree,
  type MicroUsd,
  type OrderId,
  type Points,
  type ProposedOrder,
  type SealedPart,
  type Sm1Params,
  type Tick,
} from "@fairtick/domain";
import { priceLine } from "./acceptance.ts";
import { decideOrder, type Decided } from "./decide-order.ts";
import { signSealed, TEST_MEMBER } from "./testing-device.ts";
import { makeSlots, type Slot, type SlotOptions } from "./testing-slots.ts";

// For tests: orders and batches of an honest house.

/** The epoch's start, which is the start of a minute. */
export const START = 1_763_700_000_000n as Instant;
export const MINUTE = 60_000n;

export interface TestOrder {
  /** Milliseconds after START. */
  readonly at: bigint;
  readonly symbol?: string;
  readonly direction?: "up" | "down";
  readonly durationSeconds?: number;
  readonly limitPrice?: Points;
  /** Set if its direction is sealed. `never`: it is never revealed. */
  readonly sealed?: "revealed" | "never";
  /** Milliseconds before `at` at which its device received the newest slot that it had seen; default 0. */
  readonly seenBefore?: bigint;
}

/** An order's two nonces and the nonce of its seal. Tests derive them from the order's number. */
export interface Openings {
  readonly terms: Uint8Array;
  readonly own: Uint8Array;
  readonly seal: Uint8Array;
}

export interface Batch {
  /** 1 before sealed orders. */
  readonly version: 1 | 2;
  readonly number: number;
  readonly acceptedAt: Instant;
  readonly commitments: readonly Uint8Array[];
  readonly tree: MerkleTree;
  readonly root: Uint8Array;
}

export interface Placed {
  readonly order: ProposedOrder;
  readonly acceptedAt: Instant;
  /** The member's choice, whether or not it was revealed to the house. */
  readonly choice: Choice;
  readonly isRevealed: boolean;
  readonly openings: Openings;
  readonly batch: Batch;
  readonly place: number;
  readonly decided: Decided | null;
}

export const config = firstTradingConfig((START - 80_000n) as Instant);
const { memberRunningOrdersMax = null, ...configFigures } = config;
export const configBody = canonicalJson({
  ...configFigures,
  memberRunningOrdersMax,
  instruments: config.instruments.map(termsFields),
});

function termsFields({ title, titles, prices, ...terms }: InstrumentTerms): Readonly<Record<string, Canonical>> {
  // In the first configuration, no instrument has the fields of instruments that are added later.
  if ([title, titles, prices].some((each) => each !== undefined)) throw new Error("not of the first version");
  return { ...terms, durations: terms.durations.map(({ seconds, payoutRate }) => ({ seconds, payoutRate })) };
}

/** Makes an entry's text. Its version is 1 unless `fields.v` says otherwise. */
export function textOf(kind: string, fields: Readonly<Record<string, Canonical>>): string {
  return canonicalJson({ v: 1, ...fields, kind });
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

interface PlaceOptions extends SlotOptions {
  /** Through when the house settles orders by its seal; null if it doesn't. */
  readonly sealedThrough?: bigint | null;
  readonly version?: 1 | 2;
}

export function placeAll(
  hashes: Hashes,
  orders: readonly TestOrder[],
  perBatch: number,
  ticks: ReadonlyMap<string, readonly Tick[]>,
  { sealedThrough = null, version = 2, ...slotOptions }: PlaceOptions = {},
): Placed[] {
  const placed: Placed[] = [];
  for (let from = 0; from < orders.length; from += perBatch) {
    const held = orders.slice(from, from + perBatch);
    const acceptedAt = (START + (held[0]?.at ?? 0n)) as Instant;
    const isSealed = held.some(({ sealed }) => sealed !== undefined);
    const before = [...new Set(placed.map(({ batch }) => batch))];
    const slots = isSealed ? makeSlots(hashes, ticks, before, slotOptions, acceptedAt) : [];
    const made = held.map((each, place) => {
      const seenBy = acceptedAt - (each.seenBefore ?? 0n);
      const seen = slots.findLast((slot) => slot.time <= seenBy) ?? { k: 1, hash: new Uint8Array(32) };
      return makeOrder(hashes, each, from + place, seen);
    });
    const commitments = made.map((one) => commitmentOf(hashes, one, version));
    const tree = merkleTree(hashes, commitments);
    const number = from / perBatch + 1;
    const batch: Batch = {
      version,
      number,
      acceptedAt,
      commitments,
      tree,
      root:
        version === 1
          ? formerBatchRoot(hashes, BigInt(number), acceptedAt, tree.root)
          : batchRoot(hashes, BigInt(number), acceptedAt, made.length, tree.root),
    };
    for (const [place, one] of made.entries()) {
      const { order, choice, isRevealed } = one;
      const rules = config.instruments.find((each) => each.symbol === order.symbol);
      const held = ticks.get(order.symbol) ?? [];
      const known = isRevealed ? choice : { direction: null, limitPrice: null };
      const terms = { ...order, ...known, acceptedAt };
      const decision = decideOrder(terms, rules?.staleExitMs ?? 0n, held, sealedThrough);
      const decided = decision.state === "decided" ? decision.decided : null;
      placed.push({ ...one, acceptedAt, batch, place, decided });
    }
  }
  return placed;
}

type Made = Pick<Placed, "order" | "choice" | "isRevealed" | "openings">;

function makeOrder(hashes: Hashes, each: TestOrder, number: number, seen: Pick<Slot, "k" | "hash">): Made {
  const terms = config.instruments.find((one) => one.symbol === (each.symbol ?? "EURUSD"));
  const offer = terms && findOffer(terms, each.durationSeconds ?? 60);
  if (terms === undefined || offer === undefined) throw new Error("not offered");
  const { stake, fee, payoutRate, profitIfWon } = calculateQuote(terms, offer, 10_000_000n as MicroUsd);
  const choice: Choice = { direction: each.direction ?? "up", limitPrice: each.limitPrice ?? null };
  const openings = {
    terms: utf8(`terms ${number}`.padEnd(16, ".")),
    own: utf8(`own ${number}`.padEnd(16, ".")),
    seal: utf8(`seal ${number}`.padEnd(32, ".")),
  };
  const clientOrderId = `client-${number}-id` as ClientId;
  const wish = {
    wallet: "practice" as const,
    symbol: terms.symbol,
    stake,
    durationSeconds: offer.seconds,
    payoutRate,
    fee,
  };
  const sealed: SealedPart | null =
    each.sealed === undefined
      ? null
      : signSealed({ ...wish, clientOrderId, seal: sealOf(hashes, openings.seal, choice) }, seen);
  const order: ProposedOrder = {
    orderId: BigInt(number + 1) as OrderId,
    memberId: TEST_MEMBER,
    clientOrderId,
    wallet: "practice",
    symbol: terms.symbol,
    direction: sealed === null ? choice.direction : null,
    sealed,
    stake,
    fee,
    payoutRate,
    profitIfWon,
    limitPrice: sealed === null ? choice.limitPrice : null,
    durationSeconds: offer.seconds,
    configVersion: 1,
  };
  return { order, choice, openings, isRevealed: each.sealed !== "never" };
}

function commitmentOf(hashes: Hashes, { order, openings }: Made, version: 1 | 2): Uint8Array {
  if (version === 1) return formerOrderCommitment(hashes, openings.terms, formerOrderJson(order));
  const terms = termsHash(hashes, openings.terms, termsJson(termsOf(order)));
  return orderCommitment(hashes, terms, privateHash(hashes, openings.own, privateJson(order)));
}

export function settledFields(
  hashes: Hashes,
  { order, choice, isRevealed, openings, acceptedAt, batch, place, decided }: Placed,
): Readonly<Record<string, Canonical>> {
  const known = isRevealed ? choice : { direction: null, limitPrice: null };
  const fields = {
    acceptedAt,
    batch: batch.number,
    direction: known.direction,
    duration: order.durationSeconds,
    entrySeq: decided?.entry?.seq ?? null,
    exitSeq: decided?.exit?.seq ?? null,
    limitPrice: known.limitPrice,
    outcome: decided?.outcome ?? "voided",
    place,
    symbol: order.symbol,
    voidReason: decided?.voidReason ?? null,
  };
  if (batch.version === 1) return fields;
  const isOpened = order.sealed !== null && isRevealed;
  return {
    ...fields,
    nonce: toHex(openings.terms),
    own: toHex(privateHash(hashes, openings.own, privateJson(order))),
    revealedAt: isOpened ? acceptedAt + 1_000n : null,
    seal: order.sealed === null ? null : toHex(order.sealed.seal),
    sealNonce: isOpened ? toHex(openings.seal) : null,
  };
}
