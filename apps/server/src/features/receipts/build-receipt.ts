import {
  accept,
  batchCommitments,
  canonicalJson,
  formerOrderCommitment,
  formerOrderJson,
  deviceHash,
  formatId,
  type MemberId,
  NONCE_BYTES,
  ORDER_NONCES_BYTES,
  type OrderId,
  privateJson,
  refuse,
  termsJson,
  termsOf,
  type Tick,
  toHex,
  type Verdict,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { LogReader } from "@fairtick/transparency";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Context } from "../../platform/context.ts";
import { configBody } from "../log/index.ts";
import { openPriceArchive, type PriceArchive } from "../price-archive/index.ts";
import { readBatch, type StoredBatch } from "../orders/index.ts";
import { type LoggedEntries, type LoggedEntry, openLoggedEntries } from "./logged-entries.ts";
import { readReceiptOrder, type ReceiptOrder } from "./receipt-order.ts";
import { type MinuteView, minutesOf, sourceOf } from "./receipt-prices.ts";
import { quotesOf } from "./receipt-quotes.ts";
import { slotOfBatch, slotOfNumber, slotOfTick, slotView, type SlotView } from "./receipt-slots.ts";

export interface ReceiptParts {
  readonly databases: Context["databases"];
  /** The log's files. */
  readonly files: LogReader;
  readonly signer: AcceptanceSigner;
  /** Whether the log has caught up since it was started. Without it, the log counts as caught up. */
  readonly hasCaughtUp?: () => boolean;
}

/**
 * Builds an order's receipt, as docs/verification.md describes it: everything that its owner needs, apart from pinned
 * keys, to check how the order was decided. It is built from the current tables, so if someone changed them, the
 * receipt doesn't verify. Refuses NOT_FOUND for an order that isn't the member's, and NOT_NOW while a log that was just
 * started has not caught up with what the receipt needs.
 */
export async function buildReceipt(
  parts: ReceiptParts,
  memberId: MemberId,
  orderId: OrderId,
): Promise<Verdict<Record<string, unknown>>> {
  const database = parts.databases.reader;
  const found = await readReceiptOrder(database, memberId, orderId);
  if (found === null) return refuse("NOT_FOUND");
  const { order, settlement } = found;
  const archive = openPriceArchive(database, parts.files);
  const entries = await openLoggedEntries(database, parts.files);
  // Read the minutes first. Everything that a minute's entry names has an earlier place in the log, so later reads find
  // it.
  const minutes = await minutesOf(database, archive, entries, found);
  const [batch, body, config, accepted] = [
    await readBatch(database, found.batchNo),
    await configBody(database, order.configVersion),
    await entries.find("config", BigInt(order.configVersion)),
    await entries.find("orders.accept", found.batchNo),
  ];
  const ticks = ticksOf(settlement);
  const { source, sources, epochs } = await sourceOf(database, entries, found, ticks);
  const quotes = await quotesOf(database, archive, entries, order.symbol, ticks);
  const slots = await slotsOf(parts, archive, entries, found);
  if (parts.hasCaughtUp?.() === false && !isLogged(minutes, slots)) return refuse("NOT_NOW");
  return accept({
    ...(await textsOf(entries, found)),
    acceptance: acceptanceOf(parts.signer, found, batch),
    // A version without an entry was never announced, which the receipt then shows.
    config: { body: body ?? "", logged: config ?? (await entries.findUnplacedConfig(order.configVersion)) },
    accepted: accepted ?? { entry: batch?.entry ?? "", proof: null },
    result: settlement && resultOf(settlement),
    settled: settlement && (await settledEntry(entries, found, settlement.settledAt)),
    slots,
    minutes,
    epochs,
    source,
    ...(sources.length > 0 && { sources }),
    ...(quotes && { quotes }),
  });
}

/** Returns the texts that were committed to, word for word, with their nonces. */
async function textsOf(entries: LoggedEntries, found: ReceiptOrder): Promise<Record<string, unknown>> {
  const { order, nonces } = found;
  if (isFormer(found)) return { v: 1, order: formerOrderJson(order), nonce: toHex(nonces) };
  return {
    v: 2,
    terms: { json: termsJson(termsOf(order)), nonce: toHex(nonces.subarray(0, NONCE_BYTES)) },
    own: { json: privateJson(order), nonce: toHex(nonces.subarray(NONCE_BYTES)) },
    seal: await sealOfOrder(entries, found),
  };
}

/** Returns the key that signed a sealed order, and what opened it. */
async function sealOfOrder(
  entries: LoggedEntries,
  { order, device, reveal }: ReceiptOrder,
): Promise<Record<string, unknown> | null> {
  if (order.sealed === null || device === null) return null;
  const { direction, limitPrice, memberId } = order;
  const key = Buffer.from(device.key);
  const told = {
    device: formatId("device", order.sealed.deviceId),
    key: key.toString("base64url"),
    member: formatId("member", memberId),
  };
  const hash = toHex(deviceHash(nodeHashes, device.nonce, told));
  const logged = await entries.findWhere("device.add", device.addedAt, (entry) => entry.includes(`"hash":"${hash}"`));
  // If the device has no place in the log yet, the verifier waits for it. Its entry will be exactly this one.
  const waiting = canonicalJson({ at: device.addedAt, hash, kind: "device.add", v: 1 });
  return {
    device: {
      key: key.toString("base64"),
      nonce: toHex(device.nonce),
      logged: logged ?? { entry: waiting, proof: null },
    },
    opened: reveal && {
      direction,
      limitPrice: limitPrice === null ? null : Number(limitPrice),
      nonce: toHex(reveal.nonce),
      revealedAt: Number(reveal.at),
    },
  };
}

function isFormer({ nonces }: ReceiptOrder): boolean {
  return nonces.length < ORDER_NONCES_BYTES;
}

function commitmentOf(found: ReceiptOrder): Uint8Array {
  const { order, nonces } = found;
  return isFormer(found)
    ? formerOrderCommitment(nodeHashes, nonces, formerOrderJson(order))
    : batchCommitments(nodeHashes, nonces, [order]);
}

function ticksOf(settlement: ReceiptOrder["settlement"]): Tick[] {
  return [settlement?.entry, settlement?.exit].filter((tick) => tick !== null && tick !== undefined);
}

function resultOf(settlement: NonNullable<ReceiptOrder["settlement"]>): Record<string, unknown> {
  return {
    credit: Number(settlement.credit),
    entry: tickView(settlement.entry),
    exit: tickView(settlement.exit),
    outcome: settlement.outcome,
    profit: Number(settlement.profit),
    voidReason: settlement.voidReason,
  };
}

function acceptanceOf(
  signer: AcceptanceSigner,
  found: ReceiptOrder,
  batch: StoredBatch | null,
): Record<string, unknown> {
  const { place, batchNo, acceptedAt } = found;
  const root = batch?.root ?? new Uint8Array(32);
  const isThere = batch !== null && place < batch.commitments.length;
  return {
    ...(!isFormer(found) && { accepted: batch?.accepted ?? 0 }),
    acceptedAt: Number(acceptedAt),
    batch: Number(batchNo),
    commitment: toHex(commitmentOf(found)),
    count: batch?.commitments.length ?? 0,
    key: signer.keyId,
    path: isThere ? batch.tree.pathOf(place).map(toHex) : [],
    place,
    root: toHex(root),
    signature: signer.signBatch(root).toString("base64"),
  };
}

/** Finds the entry that has the order's settlement. Several entries may have the same time. */
async function settledEntry(
  entries: LoggedEntries,
  { batchNo, place }: ReceiptOrder,
  settledAt: bigint,
): Promise<LoggedEntry | null> {
  const mine = new RegExp(`"batch":${batchNo},[^{}]*"place":${place},`);
  return entries.findWhere("orders.settle", settledAt, (entry) => mine.test(entry));
}

interface SlotsView {
  readonly bound: SlotView | null;
  readonly entry: SlotView | null;
  readonly exit: SlotView | null;
  /** Of a sealed order only: the slot that its device had seen. */
  readonly seen?: SlotView;
  readonly logged: readonly LoggedEntry[];
}

/** Returns whether an order's prices and the heads of its slots are in the published log. */
function isLogged(minutes: readonly MinuteView[], { bound, entry, exit, seen, logged }: SlotsView): boolean {
  const heads = logged
    .filter(({ proof }) => proof !== null)
    .map((each) => /"from":([0-9]+),.*"to":([0-9]+),/.exec(each.entry));
  const isHeld = ({ k }: SlotView) =>
    heads.some((found) => found !== null && k >= Number(found[1]) && k <= Number(found[2]));
  const slots = [bound, entry, exit, seen ?? null].filter((slot) => slot !== null);
  return minutes.every((minute) => minute.logged?.proof) && slots.every(isHeld);
}

async function slotsOf(
  { databases, signer }: ReceiptParts,
  archive: PriceArchive,
  entries: LoggedEntries,
  { order, batchNo, settlement }: ReceiptOrder,
): Promise<SlotsView> {
  const database = databases.reader;
  const ofTick = async (tick: Tick | null | undefined) => (tick ? slotOfTick(database, order.symbol, tick) : null);
  const rows = [
    await slotOfBatch(database, batchNo),
    await ofTick(settlement?.entry),
    await ofTick(settlement?.exit),
    order.sealed === null ? null : await slotOfNumber(database, order.sealed.seenSlot),
  ];
  const logged = new Map<string, LoggedEntry>();
  const views: (SlotView | null)[] = [];
  for (const row of rows) {
    views.push(row && (await slotView(database, archive, signer, row)));
    const entry = row && (await headsOf(entries, row.k));
    if (entry) logged.set(entry.entry, entry);
  }
  const [bound = null, entry = null, exit = null, seen = null] = views;
  return { bound, entry, exit, ...(seen !== null && { seen }), logged: [...logged.values()] };
}

/** Finds the entry of heads that has slot `k`. */
async function headsOf(entries: LoggedEntries, k: bigint): Promise<LoggedEntry | null> {
  const entry = await entries.findNotAfter("heads", k);
  const to = /"to":([0-9]+),/.exec(entry?.entry ?? "")?.[1];
  return to !== undefined && BigInt(to) >= k ? entry : null;
}

function tickView(tick: Tick | null): Record<string, number> | null {
  return tick && { price: Number(tick.price), seq: Number(tick.seq), time: Number(tick.time) };
}
