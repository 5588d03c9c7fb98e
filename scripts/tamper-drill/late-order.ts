import { randomBytes } from "node:crypto";
import {
  batchRoot,
  calculateOutcome,
  canonicalJson,
  type Instant,
  merkleRoot,
  NONCE_BYTES,
  orderCommitment,
  type Points,
  termsHash,
  termsJson,
  toHex,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { waitUntil } from "@fairtick/testkit";
import type { Product } from "../own-product.ts";
import { type Result, waitForNotice } from "./attack.ts";
import { standing, type World } from "./log-attacks.ts";

const LATE_MS = 20_000;
const DURATION_MS = 30_000;

interface Price {
  readonly seq: string;
  readonly time: string;
  readonly price: string;
}

/**
 * Adds an order that claims to be 20 seconds old, in its own batch, which the next slot head binds like all others: the
 * attacker has seen two thirds of its run. The log shows it as accepted then, and it is settled by the true prices.
 */
export async function acceptInThePast(world: World): Promise<Result> {
  const { product, watchers } = world;
  const known = await standing(world);
  const acceptedAt = BigInt(Date.now() - LATE_MS);
  const entry = await findTick(product, `time > ${acceptedAt} ORDER BY time`);
  const newest = await findTick(product, "true ORDER BY time DESC");
  if (entry === undefined || newest === undefined) throw new Error("no tick of 20 seconds ago");
  const direction = BigInt(newest.price) < BigInt(entry.price) ? "down" : "up";
  const terms = {
    symbol: "EURUSD",
    durationSeconds: DURATION_MS / 1_000,
    direction,
    limitPrice: null,
    seal: null,
  } as const;
  const nonce = randomBytes(NONCE_BYTES);
  const own = new Uint8Array(randomBytes(32));
  const commitment = orderCommitment(nodeHashes, termsHash(nodeHashes, nonce, termsJson(terms)), own);
  const batch = await acceptBatch(product, acceptedAt, commitment);
  const exit = await waitForExit(product, BigInt(entry.time) + BigInt(DURATION_MS));
  const order = {
    acceptedAt,
    batch,
    direction,
    duration: DURATION_MS / 1_000,
    entrySeq: BigInt(entry.seq),
    exitSeq: BigInt(exit.seq),
    limitPrice: null,
    nonce: nonce.toString("hex"),
    outcome: calculateOutcome(BigInt(entry.price) as Points, BigInt(exit.price) as Points, direction),
    own: toHex(own),
    place: 0,
    revealedAt: null,
    seal: null,
    sealNonce: null,
    symbol: "EURUSD",
    voidReason: null,
  };
  await writeEntry(product, "orders.settle", { orders: [order], settledAt: BigInt(Date.now()) });
  const noticed = await waitForNotice(watchers, null, known);
  return { what: "accept an order 20 seconds late, as if in time, and settle it rightly", refused: null, ...noticed };
}

/** Adds a batch with this single order to the log and to the batches that heads bind; returns its number. */
async function acceptBatch(product: Product, acceptedAt: bigint, commitment: Uint8Array): Promise<bigint> {
  const [drawn] = await product.sql<{ batch: string; config: number }>(
    "SELECT nextval('acceptance_batch_no') AS batch, (SELECT max(number)::int FROM log_entries WHERE kind = 'config') AS config",
  );
  const batch = BigInt(drawn?.batch ?? 0);
  const root = batchRoot(nodeHashes, batch, acceptedAt as Instant, 1, merkleRoot(nodeHashes, [commitment]));
  const commitments = Buffer.from(commitment).toString("base64");
  const accepted = { acceptedAt, batch, commitments, config: drawn?.config ?? 1, open: 1, reasons: {}, refusals: "" };
  await writeEntry(product, "orders.accept", accepted);
  await product.sql("INSERT INTO acceptance_batches (batch_no, accepted_at, root) VALUES ($1, $2, $3)", [
    batch,
    acceptedAt,
    Buffer.from(root),
  ]);
  return batch;
}

/** Waits until the order's exit is known. `expiry`: ms. */
async function waitForExit(product: Product, expiry: bigint): Promise<Price> {
  const isOver = async () => ((await findTick(product, `time > ${expiry}`)) === undefined ? null : true);
  await waitUntil("its expiry", isOver, 60_000);
  const exit = await findTick(product, `time <= ${expiry} ORDER BY time DESC`);
  if (exit === undefined) throw new Error("no tick at its expiry");
  return exit;
}

async function findTick(product: Product, condition: string): Promise<Price | undefined> {
  const found = await product.sql<Price>(
    `SELECT seq, time, price FROM ticks WHERE symbol = 'EURUSD' AND ${condition} LIMIT 1`,
  );
  return found[0];
}

async function writeEntry(product: Product, kind: string, fields: Parameters<typeof canonicalJson>[0]): Promise<void> {
  await product.sql("INSERT INTO outbox (kind, entry) VALUES ($1, $2)", [
    kind,
    canonicalJson(Object.assign({ kind, v: 2 }, fields)),
  ]);
}
