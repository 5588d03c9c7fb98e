import { equalBytes, toHex, type Hashes, type Instant, type Tick } from "@fairtick/domain";
import { parsePriceLines } from "./acceptance.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import { failed, ok, open, type ProofCheck, type ProofReason, type Why } from "./proof-check.ts";
import { decideAgain, hasNamedTicks } from "./proof-decision.ts";
import { openProofLog, type ProofLog } from "./proof-log.ts";
import type { ProofPlaces } from "./proof-places.ts";
import { opensCommitment } from "./settled-opening.ts";
import type { LogReader } from "./tile-tree.ts";

/** What the log says about the order: its terms and how it ended, without member or amount. */
export interface ProvenOrder {
  readonly settled: SettledOrder;
  readonly settledAt: Instant;
  readonly entry: Tick | null;
  readonly exit: Tick | null;
}

export interface PublicProof {
  readonly checks: readonly ProofCheck[];
  /** Null if the log has no such order. */
  readonly order: ProvenOrder | null;
}

/**
 * Verifies an order from the public log alone, in the tree of `checkpoint`, whose signatures the caller must have
 * checked. Anything that contradicts the log is a failed check. What the places don't lead to, or the log alone can't
 * show, is open. Rejects only if a file of the log can't be read (LogFileError, or the error that `reader` rejects
 * with).
 */
export async function verifyPublicProof(
  hashes: Hashes,
  reader: LogReader,
  checkpoint: Checkpoint,
  places: ProofPlaces,
): Promise<PublicProof> {
  const log = openProofLog(hashes, reader, checkpoint);
  const accepted = await findAccepted(log, places);
  const found = await findSettled(log, places);
  const settled = "entry" in found ? found.entry.orders.find((each) => isOf(each, places)) : undefined;
  if ("why" in accepted || !("entry" in found) || settled === undefined) {
    const why = "why" in found ? found.why : ({ code: "notThere", entry: found.index } as const);
    return notFound(accepted, settled === undefined ? failed("settled", why) : open("settled"));
  }
  const { settledAt } = found.entry;
  const prices = await readPrices(log, settled.symbol, places.minutes);
  const order = { acceptedIn: accepted.index, configVersion: accepted.entry.config, settled, settledAt };
  const [entry, exit] = [settled.entrySeq, settled.exitSeq].map((seq) => tickOf(prices, seq));
  return {
    checks: [
      ok("accepted"),
      checkOpened(hashes, accepted, settled),
      checkPrices(settled, prices),
      "ticks" in prices ? await decideAgain(log, order, places.config, prices.ticks) : open("decided"),
      accepted.index < found.index ? ok("settled") : failed("settled", { code: "settledFirst" }),
    ],
    order: { settled, settledAt, entry: entry ?? null, exit: exit ?? null },
  };
}

/** Checks that the settlement's terms are those that were accepted. Of version 1, only the order's receipt can show it. */
function checkOpened(hashes: Hashes, { entry, commitment }: Accepted, settled: SettledOrder): ProofCheck {
  if (settled.acceptedAt !== entry.acceptedAt) return failed("opened", { code: "otherTerms" });
  if (settled.opening === null && entry.v === 1) return open("opened", { code: "unopened" });
  return opensCommitment(hashes, settled, commitment) ? ok("opened") : failed("opened", { code: "otherTerms" });
}

/** What only a link can be at fault for, such as one that was cut off: it doesn't lead to prices of this product. */
const LINK_FAULTS: ReadonlySet<ProofReason["code"]> = new Set(["noEntry", "otherKind", "otherProduct", "pricesOrder"]);

/** Checks that the prices read are the logged ones. Prices that don't decide the order say nothing about it. */
function checkPrices(settled: SettledOrder, prices: Prices): ProofCheck {
  if ("why" in prices) return (LINK_FAULTS.has(prices.why.code) ? open : failed)("prices", prices.why);
  return hasNamedTicks(settled, prices.ticks) ? ok("prices") : open("prices", { code: "pricesElsewhere" });
}

/** Makes the result for an order whose acceptance or settlement wasn't found, so that nothing else can be checked. */
function notFound(accepted: Accepted | Why, settled: ProofCheck): PublicProof {
  return {
    checks: [
      "why" in accepted ? failed("accepted", accepted.why) : ok("accepted"),
      open("opened"),
      open("prices"),
      open("decided"),
      settled,
    ],
    order: null,
  };
}

interface Accepted {
  readonly index: number;
  readonly entry: LogEntryOf<"orders.accept">;
  readonly commitment: Uint8Array;
}

async function findAccepted(
  log: ProofLog,
  { accepted, batch, place, commitment }: ProofPlaces,
): Promise<Accepted | Why> {
  const found = await log.find(accepted, "orders.accept");
  if ("why" in found) return found;
  const { entry } = found;
  const held = entry.commitments.subarray(place * 32, place * 32 + 32);
  if (entry.batch !== batch || held.length !== 32) return { why: { code: "notThere", entry: accepted } };
  if (!toHex(held).startsWith(commitment) || commitment.length < 16) {
    return { why: { code: "otherOrder", entry: accepted } };
  }
  return { index: accepted, entry, commitment: held };
}

async function findSettled(log: ProofLog, { settled }: ProofPlaces) {
  const found = await log.find(settled, "orders.settle");
  return "why" in found ? found : { ...found, index: settled };
}

function isOf({ batch, place }: SettledOrder, wanted: ProofPlaces): boolean {
  return batch === wanted.batch && place === wanted.place;
}

type Prices = Why | { readonly ticks: readonly Tick[] };

/** Reads the ticks of the minutes that the log serves, and checks them against the hashes in its entries. */
async function readPrices(log: ProofLog, symbol: string, minutes: readonly number[]): Promise<Prices> {
  const ticks: Tick[] = [];
  for (const index of minutes) {
    const found = await log.find(index, "ticks");
    if ("why" in found) return found;
    const { entry } = found;
    if (entry.symbol !== symbol) return { why: { code: "otherProduct", entry: index } };
    const bytes = await log.read(`prices/${symbol}/${entry.time}`);
    if (bytes === null) return { why: { code: "pricesMissing", entry: index } };
    const lines = parsePriceLines(new TextDecoder().decode(bytes));
    if (lines === null || !equalBytes(log.hash(bytes), entry.hash)) {
      return { why: { code: "otherPrices", entry: index } };
    }
    const last = ticks.at(-1);
    if (last !== undefined && last.seq >= (lines[0]?.seq ?? 0n)) {
      return { why: { code: "pricesOrder" } };
    }
    ticks.push(...lines);
  }
  return { ticks };
}

function tickOf(prices: Prices, seq: number | null): Tick | undefined {
  return "ticks" in prices && seq !== null ? prices.ticks.find((tick) => Number(tick.seq) === seq) : undefined;
}
