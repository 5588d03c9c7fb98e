import { type Instant, type Tick, toHex } from "@fairtick/domain";
import { FIRST_SLOT_HEAD, slotLine } from "@fairtick/transparency";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Queryable } from "../../platform/database.ts";
import type { PriceArchive } from "../price-archive/index.ts";

/** Everything that a slot's head is made of, as a receipt shows it. */
export interface SlotView {
  readonly k: number;
  readonly hash: string;
  readonly previous: string;
  readonly roots: readonly string[];
  readonly lines: string;
  readonly key: string;
  readonly signature: string;
}

interface SlotRow {
  readonly k: bigint;
  readonly hash: Uint8Array;
  readonly through_batch: bigint;
  readonly time: bigint;
  readonly from_time: bigint;
  readonly ticks: string;
}

const COLUMNS = "k, hash, through_batch, time, from_time, ticks";
/**
 * How far around a tick to look for its slot. When the market catches up, a slot has ticks of at most half a minute.
 */
const REACH_MS = 120_000n;

/** Finds the slot whose head binds a batch; null if there is none yet. */
export async function slotOfBatch(database: Queryable, batchNo: bigint): Promise<SlotRow | null> {
  const [row] = await database.query<SlotRow>(
    `SELECT ${COLUMNS} FROM slot_heads WHERE through_batch >= $1 ORDER BY through_batch, k LIMIT 1`,
    [batchNo],
    "receipt_bound_slot",
  );
  return row ?? null;
}

/** Finds a slot by its number. */
export async function slotOfNumber(database: Queryable, k: bigint): Promise<SlotRow | null> {
  const [row] = await database.query<SlotRow>(
    `SELECT ${COLUMNS} FROM slot_heads WHERE k = $1`,
    [k],
    "receipt_seen_slot",
  );
  return row ?? null;
}

/** Finds the slot that a tick was published in. */
export async function slotOfTick(database: Queryable, symbol: string, tick: Tick): Promise<SlotRow | null> {
  const rows = await database.query<SlotRow>(
    `SELECT ${COLUMNS} FROM slot_heads WHERE time >= $1 AND time <= $2 AND from_time <= $1 ORDER BY time, k LIMIT 200`,
    [tick.time, tick.time + REACH_MS],
    "receipt_tick_slot",
  );
  return rows.find((row) => partsOf(row).some((part) => part.symbol === symbol && holds(part, tick.seq))) ?? null;
}

interface SlotPart {
  readonly symbol: string;
  readonly first: bigint;
  readonly count: bigint;
}

function partsOf({ ticks }: SlotRow): SlotPart[] {
  return ticks.split(";").map((part) => {
    const [symbol = "", first = "0", count = "0"] = part.split(",");
    return { symbol, first: BigInt(first), count: BigInt(count) };
  });
}

function holds({ first, count }: SlotPart, seq: bigint): boolean {
  return seq >= first && seq < first + count;
}

/**
 * Returns a slot with everything that its head is made of. Signs it again, which gives the same Ed25519 signature each
 * time.
 */
export async function slotView(
  database: Queryable,
  archive: PriceArchive,
  signer: AcceptanceSigner,
  slot: SlotRow,
): Promise<SlotView> {
  const [before] = await database.query<{ hash: Uint8Array; through_batch: bigint }>(
    "SELECT hash, through_batch FROM slot_heads WHERE k = $1",
    [slot.k - 1n],
    "receipt_slot_before",
  );
  const roots = await database.query<{ root: Uint8Array }>(
    "SELECT root FROM acceptance_batches WHERE batch_no > $1 AND batch_no <= $2 ORDER BY batch_no",
    [before?.through_batch ?? 0n, slot.through_batch],
    "receipt_slot_roots",
  );
  const ticks = await database.query<Tick & { symbol: string }>(
    "SELECT symbol, seq, time, price FROM ticks WHERE time >= $1 AND time <= $2 AND NOT pre_genesis",
    [slot.from_time, slot.time],
    "receipt_slot_ticks",
  );
  const lines: string[] = [];
  for (const part of partsOf(slot)) {
    const mine = (each: Tick) => holds(part, each.seq);
    const there = ticks.filter((tick) => tick.symbol === part.symbol && mine(tick));
    // A slot may begin on one day and end on the next.
    const filed =
      BigInt(there.length) === part.count
        ? []
        : (await archive.between(part.symbol, slot.from_time as Instant, slot.time as Instant)).filter(
            (tick) => mine(tick) && !there.some(({ seq }) => seq === tick.seq),
          );
    const whole = [...filed, ...there].toSorted((left, right) => Number(left.seq - right.seq));
    lines.push(...whole.map((tick) => slotLine(part.symbol, tick)));
  }
  return {
    k: Number(slot.k),
    hash: toHex(slot.hash),
    previous: toHex(before?.hash ?? FIRST_SLOT_HEAD),
    roots: roots.map(({ root }) => toHex(root)),
    lines: lines.join("\n"),
    key: signer.keyId,
    signature: signer.signHead(slot.k, slot.hash).toString("base64"),
  };
}
