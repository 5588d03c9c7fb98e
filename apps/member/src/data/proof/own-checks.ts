import { formatMoney, formatPrice, formatRate, toHex, utf8, verifyMerklePath, type Hashes } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import {
  cosignedAt,
  openCheckpoint,
  openTileTree,
  orderOf,
  parseTlogProof,
  STANDSTILL_MS,
  verifyConsistency,
  type Checkpoint,
  type LogReader,
  type NoteSigner,
  type Receipt,
  type ReceiptCheck,
  type VerifierPolicy,
} from "@fairtick/transparency";
import type { Held } from "../sealed/evidence-shelf.ts";

/**
 * What the app checks in addition to the receipt's own checks: that the receipt is about the order on the screen,
 * matches the answer given when the order was placed, and agrees with the log that this browser fetches itself.
 */
export const OWN_CHECKS = ["shown", "kept", "heads", "log", "entries", "prices"] as const;
export type OwnCheckId = (typeof OWN_CHECKS)[number];

export interface OwnCheck {
  readonly id: OwnCheckId;
  /** `unchecked`: it couldn't be checked, for the reason in `why`. */
  readonly state: ReceiptCheck["state"] | "unchecked";
  readonly why?: string;
  /** The kind of fault, if the app has its own message for it. */
  readonly named?: "log-stands-still" | "log-time-unsure" | "log-unwatched";
  readonly values: ReceiptCheck["values"];
}

/** The newest checkpoint, freshly fetched; null if it isn't valid under the pinned keys. */
export interface NewestCheckpoint {
  readonly check: OwnCheck;
  readonly checkpoint: Checkpoint | null;
  /** The signed note. */
  readonly note: string;
  readonly witnesses: readonly NoteSigner[];
}

type Shown = string | number | null;

/** Checks that the order on the screen is the one that the receipt proves. */
// oxlint-disable-next-line complexity -- a plain table, one row for each field
export function checkShown(receipt: Receipt, order: Order, decimals: number): OwnCheck {
  const agreed = orderOf(receipt);
  const id = "shown";
  if (agreed === null) return { id, state: "failed", why: "the order's JSON is malformed", values: {} };
  const { result } = receipt;
  const price = (points: Parameters<typeof formatPrice>[0] | undefined) =>
    points === undefined ? null : formatPrice(points, decimals);
  const pairs: readonly (readonly [name: string, shown: Shown, proven: Shown])[] = [
    ["orderNo", order.orderNo, agreed.orderNo],
    // A device takes up its own orders by this one.
    ["clientOrderId", order.clientOrderId, agreed.clientOrderId],
    ["symbol", order.symbol, agreed.symbol],
    ["wallet", order.wallet, agreed.wallet],
    ["direction", order.direction, agreed.direction],
    ["duration", order.duration, agreed.durationSeconds],
    ["stake", order.stake, formatMoney(agreed.stake)],
    ["fee", order.fee, formatMoney(agreed.fee)],
    ["payoutRate", order.payoutRate, formatRate(agreed.payoutRate)],
    ["limitPrice", order.limitPrice, price(agreed.limitPrice ?? undefined)],
    ["configVersion", order.configVersion, agreed.configVersion],
    ["acceptedAt", order.acceptedAt, Number(receipt.acceptance.acceptedAt)],
    ["outcome", order.outcome, result?.outcome ?? null],
    ["voidReason", order.voidReason, result?.voidReason ?? null],
    ["entryPrice", order.entryPrice, price(result?.entry?.price)],
    ["exitPrice", order.exitPrice, price(result?.exit?.price)],
    ["entryAt", order.entryAt, timeOf(result?.entry?.time)],
    ["exitAt", order.exitAt, timeOf(result?.exit?.time)],
    ["profit", order.profit, result === null ? null : formatMoney(result.profit as typeof agreed.stake)],
  ];
  const other = pairs.find(([, shown, proven]) => shown !== proven);
  if (other !== undefined) {
    const [name, shown, proven] = other;
    return { id, state: "failed", why: `${name} is another`, values: { shown: String(shown), proven: String(proven) } };
  }
  return {
    id,
    state: "ok",
    values: { orderNo: order.orderNo, outcome: `${order.outcome}`, profit: `${order.profit}` },
  };
}

/**
 * Checks that the receipt shows the acceptance that this device got when it placed the order, and the moment at which the
 * house signed that it received the reveal: a later one would let it settle later.
 */
export function checkKept(receipt: Receipt, kept: Held | null): OwnCheck {
  const id = "kept";
  if (kept === null) return { id, state: "unchecked", why: "this device did not place the order", values: {} };
  const { batch, place, root } = receipt.acceptance;
  const same =
    kept.batchNo === String(batch) &&
    kept.place === place &&
    kept.root === toHex(root) &&
    kept.nonce === noncesOf(receipt);
  const values = { batch, place, root: toHex(root).slice(0, 16) };
  if (!same) return { id, state: "failed", why: "another acceptance was answered", values };
  const revealedAt = receipt.v === 1 ? null : (receipt.seal?.opened?.revealedAt ?? null);
  const isSoon = kept.revealedAt === undefined || revealedAt === BigInt(kept.revealedAt);
  return isSoon
    ? { id, state: "ok", values }
    : { id, state: "failed", why: "another moment of the reveal was signed", values };
}

export interface Clocks {
  /** Milliseconds since 1970 by the house's clock. */
  readonly now: number;
  /** By this device's own clock; null to ignore it. */
  readonly device: number | null;
}

/** How far a device's clock may be ahead before the app reports it: few people set theirs precisely. */
const DEVICE_AHEAD_MS_MAX = 5 * 60_000;

/** Fetches the newest checkpoint and checks that the pinned log and enough pinned witnesses have just signed it. */
export async function readNewest(log: LogReader, policy: VerifierPolicy, clocks: Clocks): Promise<NewestCheckpoint> {
  const bytes = await log.read("checkpoint");
  const note = bytes === null ? "" : new TextDecoder().decode(bytes);
  const fail = (why: string, signers: readonly NoteSigner[] = []): NewestCheckpoint => ({
    check: { id: "log", state: "failed", why, values: {} },
    checkpoint: null,
    note,
    witnesses: signers,
  });
  if (bytes === null) return fail("the log shows no checkpoint");
  const opened = openCheckpoint(note, policy);
  if (!opened.ok) return fail(opened.fault);
  const { checkpoint, witnesses } = opened;
  if (witnesses.length < policy.witnessesNeeded) return fail("not-cosigned", witnesses);
  const values = { size: checkpoint.size, seen: 0, witnesses: witnesses.length };
  const check: OwnCheck = {
    id: "log",
    state: "ok",
    values,
    ...ageOf(cosignedAt(witnesses, policy.witnessesNeeded), clocks, values),
  };
  return { check, checkpoint, note, witnesses };
}

/**
 * Returns the fault of a checkpoint cosigned at `at`. Without a pinned witness that says when, the log may be old, and
 * it may differ from what others are shown: its own signature doesn't tell. If it is old by the house's clock, the log stands still. If it
 * is old only by the device's clock, either the house's clock has stopped too or the device's is wrong, so the finding
 * is uncertain.
 */
function ageOf(at: bigint | null, { now, device }: Clocks, values: OwnCheck["values"]): Partial<OwnCheck> {
  if (at === null) return { state: "unchecked", why: "no witness is pinned", named: "log-unwatched" };
  const since = Number(at);
  const told = { ...values, cosignedAt: since };
  if (now - since > Number(STANDSTILL_MS)) {
    return { state: "failed", why: "the log stands still", named: "log-stands-still", values: told };
  }
  return device !== null && device - since > Number(STANDSTILL_MS) + DEVICE_AHEAD_MS_MAX
    ? { state: "unchecked", why: "by this device's clock the log stands still", named: "log-time-unsure", values: told }
    : {};
}

/**
 * Checks that the newest checkpoint extends the one this device saw last. `seen` is that note, or null if there is
 * none.
 */
export async function checkGrown(
  hashes: Hashes,
  log: LogReader,
  policy: VerifierPolicy,
  newest: NewestCheckpoint,
  seen: string | null,
): Promise<OwnCheck> {
  const { check, checkpoint } = newest;
  const before = seen === null ? null : openCheckpoint(seen, policy);
  if (checkpoint === null || before === null || !before.ok) return check;
  const old = before.checkpoint;
  const values = { ...check.values, seen: old.size };
  const fail = (why: string): OwnCheck => ({ id: "log", state: "failed", why, values });
  if (old.size > checkpoint.size) return fail(`it is shorter than the ${old.size} entries seen before`);
  const proof = await openTileTree(hashes, log, checkpoint.size).consistencyProof(old.size);
  const claim = { oldSize: old.size, oldRoot: old.root, newSize: checkpoint.size, newRoot: checkpoint.root, proof };
  if (!verifyConsistency(hashes, claim)) return fail(`it does not hold the ${old.size} entries seen before`);
  return { ...check, values };
}

/** Checks that every entry of the receipt is at its place in the tree that this browser fetched. */
export async function checkEntries(
  hashes: Hashes,
  log: LogReader,
  receipt: Receipt,
  checkpoint: Checkpoint,
): Promise<OwnCheck> {
  const id = "entries";
  const tree = openTileTree(hashes, log, checkpoint.size);
  let waiting = 0;
  let found = 0;
  for (const { entry, proof } of entriesOf(receipt)) {
    const index = proof === null ? null : (parseTlogProof(proof)?.index ?? null);
    if (index === null || index >= checkpoint.size) {
      waiting += 1;
      continue;
    }
    const path = await tree.inclusionProof(index);
    const place = { entry: utf8(entry), index, size: checkpoint.size, path, root: checkpoint.root };
    if (!verifyMerklePath(hashes, place)) {
      return { id, state: "failed", why: "the log has another entry there", values: { index, size: checkpoint.size } };
    }
    found += 1;
  }
  const values = { entries: found, size: checkpoint.size };
  return waiting > 0
    ? { id, state: "pending", why: "an entry is not in a checkpoint yet", values: { ...values, waiting } }
    : { id, state: "ok", values };
}

/** Checks that the prices the log serves to everyone are those of the receipt. */
export async function checkPrices(log: LogReader, receipt: Receipt): Promise<OwnCheck> {
  const id = "prices";
  const symbol = orderOf(receipt)?.symbol ?? "";
  let waiting = 0;
  for (const { lines, logged } of receipt.minutes) {
    const entry = logged === null ? null : (JSON.parse(logged.entry) as { time?: unknown });
    if (typeof entry?.time !== "number") {
      waiting += 1;
      continue;
    }
    const bytes = await log.read(`prices/${symbol}/${entry.time}`);
    const values = { minute: entry.time };
    if (bytes === null) return { id, state: "failed", why: "the log does not serve this minute", values };
    if (new TextDecoder().decode(bytes) !== lines) {
      return { id, state: "failed", why: "the log serves other prices", values };
    }
  }
  const values = { symbol, minutes: receipt.minutes.length };
  return waiting > 0
    ? { id, state: "pending", why: "a minute is not in the log yet", values: { ...values, waiting } }
    : { id, state: "ok", values };
}

function noncesOf(receipt: Receipt): string {
  return receipt.v === 1 ? toHex(receipt.nonce) : toHex(receipt.terms.nonce) + toHex(receipt.own.nonce);
}

function entriesOf({ config, accepted, settled, slots, minutes, epochs, sources, quotes }: Receipt) {
  return [
    config.logged,
    accepted,
    settled,
    ...slots.logged,
    ...minutes.map(({ logged }) => logged),
    ...epochs.flatMap(({ params, commit, open, reveal }) => [params, commit, open, reveal]),
    ...(sources ?? []),
    ...(quotes ?? []).map(({ params }) => params),
  ].filter((logged) => logged !== null);
}

function timeOf(time: bigint | undefined): number | null {
  return time === undefined ? null : Number(time);
}
