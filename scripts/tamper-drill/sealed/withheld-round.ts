import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeHashes } from "@fairtick/domain/node";
import { waitUntil } from "@fairtick/testkit";
import { verifyLog } from "@fairtick/transparency";
import { systemClock } from "../../../apps/server/src/platform/clock.ts";
import { startTestBeacon, type TestBeacon } from "../../../apps/server/src/testing/test-beacon.ts";
import { type Product, startProduct } from "../../own-product.ts";
import { logIn } from "../member.ts";
import { logAt, readKeys } from "./house.ts";
import type { Notice } from "./look.ts";

/**
 * The order that is met lasts thirty seconds. Its last price has to be more than the instrument's fifteen seconds old at its
 * expiry, and prices go on for some seconds with the rounds that the market already has.
 */
const DURATION_MS = 30_000;
const BEFORE_MS = 22_000;
const WITHHELD_MS = 28_000;
const FIRST_EPOCH_MS_MAX = 120_000;
/** An epoch, and the time until its seed is in the log. */
const REVEALED_MS_MAX = 700_000;

/**
 * On a product of its own whose beacon belongs to the attacker, withholds rounds around an order's expiry, so that it is
 * voided. It lasts until the epoch's seed is published, ten minutes at most.
 */
export async function withholdRounds(): Promise<Notice[]> {
  const folder = mkdtempSync(join(tmpdir(), "drill-beacon-"));
  const beacon = await startTestBeacon(folder, systemClock);
  try {
    const product = await startProduct(beacon.environment);
    try {
      return await withholdFrom(product, beacon);
    } finally {
      await product.stop();
    }
  } finally {
    await beacon.end();
    rmSync(folder, { recursive: true });
  }
}

async function withholdFrom(product: Product, beacon: TestBeacon): Promise<Notice[]> {
  const member = await logIn(product);
  const url = `${product.base}/log`;
  const policy = await waitUntil("a log with keys", () => readKeys(url), FIRST_EPOCH_MS_MAX);
  const { orderNo } = await member.place("up");
  await sleep(DURATION_MS - BEFORE_MS);
  await beacon.end();
  await sleep(WITHHELD_MS);
  await beacon.begin();
  const { voidReason, outcome } = await member.settled(orderNo);
  const find = async () => {
    const { findings } = await verifyLog(nodeHashes, logAt(url), policy, null, BigInt(Date.now()));
    return findings.find(({ what }) => what.includes("rounds of the beacon never came")) ?? null;
  };
  const found = await waitUntil("the missing rounds in the log", find, REVEALED_MS_MAX).catch(() => null);
  const told: Notice[] = [];
  if (outcome === "voided") told.push({ who: "member's device", sentence: `the order was voided: ${voidReason}` });
  if (found !== null)
    told.push({ who: "`fairtick verify --log`", sentence: `${found.grade} ${found.check}: ${found.what}` });
  return told;
}
