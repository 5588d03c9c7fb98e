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
 * An order of 20 seconds ago, in a batch of its own that the next slot head binds as it does all others: the attacker has seen
 * two thirds of its run. It stands in the log as accepted then, and is settled there by the true prices.
 */
export async function acceptInThePast(world: World): Promise<Result> {
  const { product, watchers } = world;
  const known = await standing(world);
  const acceptedAt = BigInt(Date.now() - LATE_MS);
  const tickAt = async (condition: string) =>
    (
      await product.sql<Price>(`SELECT seq, time, price FROM ticks WHERE symbol = 'EURUSD' AND ${condition} LIMIT 1`)
    )[0];
  const entry = await tickAt(`time > ${acceptedAt} ORDER BY time`);
  const newest = await tickAt("true ORDER BY time DESC");
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
  const [drawn] = await product.sql<{ batch: string; config: number }>(
    "SELECT nextval('acceptance_batch_no') AS batch, (SELECT max(number)::int FROM log_entries WHERE kind = 'config') AS config",
  );
  const batch = BigInt(drawn?.batch ?? 0);
  const root = batchRoot(nodeHashes, batch, acceptedAt as Instant, 1, merkleRoot(nodeHashes, [commitment]));
  const write = (kind: string, fields: Parameters<typeof canonicalJson>[0]) =>
    product.sql("INSERT INTO outbox (kind, entry) VALUES ($1, $2)", [
      kind,
      canonicalJson(Object.assign({ kind, v: 2 }, fields)),
    ]);
  const commitments = Buffer.from(commitment).toString("base64");
  const config = drawn?.config ?? 1;
  await write("orders.accept", { acceptedAt, batch, commitments, config, open: 1, reasons: {}, refusals: "" });
  await product.sql("INSERT INTO acceptance_batches (batch_no, accepted_at, root) VALUES ($1, $2, $3)", [
    batch,
    acceptedAt,
    Buffer.from(root),
  ]);

  const expiry = BigInt(entry.time) + BigInt(DURATION_MS);
  await waitUntil("its expiry", async () => ((await tickAt(`time > ${expiry}`)) === undefined ? null : true), 60_000);
  const exit = await tickAt(`time <= ${expiry} ORDER BY time DESC`);
  if (exit === undefined) throw new Error("no tick at its expiry");
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
  await write("orders.settle", { orders: [order], settledAt: BigInt(Date.now()) });
  const noticed = await waitForNotice(watchers, null, known);
  return { what: "accept an order 20 seconds late, as if in time, and settle it rightly", refused: null, ...noticed };
}
