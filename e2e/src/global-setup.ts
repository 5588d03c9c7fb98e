import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startPriceScript } from "@fairtick/testkit/price-script";
import { startProduct } from "./product.ts";
import { startPyth } from "./pyth.ts";
import { MARKET_SOURCES } from "./steps/market.ts";
import { newMember } from "./steps/members.ts";
import { giveReal } from "./steps/real-money.ts";

const ARTIFACTS = resolve(import.meta.dirname, "../../artifacts");

/**
 * Starts one product with a price script for all journeys, keeps its output, and returns the function that stops it.
 */
export default async function startOnce(): Promise<() => Promise<void>> {
  const sessions = await mkdtemp(join(tmpdir(), "fairtick-sessions-"));
  process.env["JOURNEY_SESSIONS"] = sessions;
  const [script, pyth] = await Promise.all([startPriceScript(), startPyth()]);
  try {
    const product = await startProduct({ MARKET_SOURCES, MARKET_SCRIPT_URL: script.url, ...pyth.environment });
    process.env["JOURNEY_URL"] = product.url;
    process.env["JOURNEY_CONSOLE_URL"] = product.consoleUrl;
    process.env["JOURNEY_SCRIPT_URL"] = script.httpUrl;
    process.env["JOURNEY_DATA_DIR"] = product.dataDir;
    // The liabilities are published once a day, with the first real money. Deposit now, so that this member is the
    // first.
    const owed = await newMember();
    await giveReal(owed, "120");
    process.env["JOURNEY_OWED"] = JSON.stringify(owed.stored);
    return async () => {
      await product.stop();
      await script.close();
      await pyth.close();
      await rm(sessions, { recursive: true, force: true });
      await mkdir(ARTIFACTS, { recursive: true });
      await writeFile(join(ARTIFACTS, "product.log"), product.output());
    };
  } catch (error) {
    await script.close();
    await pyth.close();
    throw error;
  }
}
