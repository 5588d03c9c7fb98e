import { equalBytes, type Instant, SEEN_WITHIN_MS, utf8, type Tick } from "@fairtick/domain";
import { parsePriceLines, slotHead, slotLine, verifySlotHead } from "./acceptance.ts";
import { SIMULATED } from "./log-entry.ts";
import { isMinuteOf } from "./price-minute.ts";
import type { Receipt, ReceiptSlot } from "./receipt.ts";
import { describeTick, failed, ok, pending, type Answer, type Evidence } from "./receipt-evidence.ts";
import { minuteEnd, missing } from "./receipt-overdue.ts";
import { sourceOfTick } from "./receipt-source-check.ts";
import { checkMix, checkSeed, isInEpoch, isMade, replayEpoch, type Sm1Evidence } from "./sm1-proof.ts";
import { checkRounds, type RoundStretch } from "./sm2-proof.ts";
import { checkLogged, findAcceptanceKey } from "./verifier-policy.ts";

// The checks of the prices, and of what was bound before they were known.

const MINUTE_MS = 60_000n;
const SLOT_LINE = /^([^,]+),(0|[1-9][0-9]{0,15}),(0|[1-9][0-9]{0,15}),(0|[1-9][0-9]{0,15})$/;

/** Checks that the heads of the slots shown follow from their contents, include the order's ticks and are signed. */
export function checkSlots(evidence: Evidence): Answer {
  const { receipt, order, decision } = evidence;
  const { bound, entry, exit } = receipt.slots;
  if (order === null || decision === null) return failed("order or prices are malformed");
  const decided = decision.state === "decided" ? decision.decided : { entry: null, exit: null };
  const values = { bound: numberOf(bound), entry: numberOf(entry), exit: numberOf(exit) };
  const shown: readonly (readonly [ReceiptSlot | null, Tick | null])[] = [
    [bound, null],
    [entry, decided.entry],
    [exit, decided.exit],
  ];
  for (const [slot, tick] of shown) {
    if (slot === null) {
      if (tick !== null) return pending("the slot of a tick is not shown", values);
      continue;
    }
    const fault = slotFault(evidence, slot) ?? (tick && tickFault(slot, order.symbol, tick));
    if (fault !== null) return failed(fault, values);
  }
  return decision.state === "decided" ? ok(values) : pending("not decided yet", values);
}

function numberOf(slot: ReceiptSlot | null): number | "none" {
  return slot?.k ?? "none";
}

function tickFault(slot: ReceiptSlot, symbol: string, tick: Tick): string | null {
  const line = slotLine(symbol, tick);
  return slot.lines.split("\n").includes(line) ? null : `slot ${slot.k} has no ${line}`;
}

function slotFault({ hashes, policy }: Evidence, slot: ReceiptSlot): string | null {
  if (!equalBytes(slotHead(hashes, slot.previous, slot.roots, slot.lines), slot.hash)) {
    return `the head of slot ${slot.k} is another`;
  }
  if (slotTicks(slot) === null) return `the lines of slot ${slot.k} are malformed`;
  const key = findAcceptanceKey(policy, slot.key);
  if (key === null) return `the head of slot ${slot.k} is signed with an unknown key`;
  return verifySlotHead(key, slot.k, slot.hash, slot.signature)
    ? null
    : `the signature of slot ${slot.k} does not hold`;
}

/**
 * Checks that a sealed order was accepted within 3 s after the newest price of its symbol in the slot that its device had
 * seen, or of any symbol if the slot has none of its own. A house that holds a wish for longer would choose its moment,
 * and could hide that by the dates of another symbol's ticks, if that symbol's source signs nothing.
 */
export function checkSeen(evidence: Evidence): Answer {
  const { receipt, order } = evidence;
  if (order === null) return failed("the order's JSON is malformed");
  const { seen } = receipt.slots;
  const { sealed } = order;
  if (sealed === null) return seen === undefined ? ok({}) : failed("it was never sealed");
  // Its parts are there before the order is accepted, so that there is nothing to wait for.
  if (seen === undefined) return failed("the slot that the device had seen is not shown");
  const values = { seenSlot: sealed.seenSlot };
  if (seen.k !== sealed.seenSlot || !equalBytes(seen.hash, sealed.seenHash))
    return failed("the device had seen another slot", values);
  const fault = slotFault(evidence, seen);
  if (fault !== null) return failed(fault, values);
  const seenAt = newestTime(seen, order.symbol) ?? newestTime(seen);
  if (seenAt === null) return failed("the slot shows no price", values);
  const late = receipt.acceptance.acceptedAt - seenAt;
  const shown = { ...values, seenAt: Number(seenAt) };
  return late > SEEN_WITHIN_MS ? failed(`accepted ${late} ms after what the device had seen`, shown) : ok(shown);
}

/** Checks that no head later than the entry's binds the batch, so it can't have been added once that tick was public. */
export function checkBound({ receipt }: Evidence): Answer {
  const { bound, entry } = receipt.slots;
  if (bound === null) return pending("no slot has come since");
  const values = { bound: bound.k, entry: numberOf(entry) };
  if (!bound.roots.some((root) => equalBytes(root, receipt.acceptance.root))) {
    return failed("the slot does not hold the batch", values);
  }
  return entry !== null && bound.k > entry.k ? failed("the batch was bound after the entry", values) : ok(values);
}

/** Checks that the receipt's heads are those in the log, which are the same for everyone. */
export function checkHeadsInLog(evidence: Evidence): Answer {
  const { hashes, receipt, policy } = evidence;
  const { bound, entry, exit, seen = null, logged } = receipt.slots;
  const inLog = new Map<number, Uint8Array>();
  for (const each of logged) {
    const fact = checkLogged(hashes, "heads", each, policy);
    if (fact.state === "failed") return failed(fact.why);
    if (fact.state === "pending") continue;
    for (const [place, head] of fact.entry.heads.entries()) inLog.set(fact.entry.from + place, head);
  }
  const slots = [seen, bound, entry, exit].filter((slot) => slot !== null);
  const other = slots.find((slot) => {
    const head = inLog.get(slot.k);
    return head !== undefined && !equalBytes(head, slot.hash);
  });
  if (other !== undefined) return failed("the log has another head", { k: other.k });
  const left = slots.filter((slot) => !inLog.has(slot.k));
  const [first] = left;
  if (first === undefined) return ok({ heads: slots.length });
  return missing(evidence, earliest(left.map(headDue)), "not in a checkpoint yet", { k: first.k });
}

/** Returns when a slot's head is due, ms: at the end of its newest tick's minute. Null if it has no ticks. */
function headDue(slot: ReceiptSlot): bigint | null {
  const newest = newestTime(slot);
  return newest === null ? null : minuteEnd(newest);
}

/** Returns the time of a slot's newest tick (of a symbol), ms; null if it has none or a line is malformed. */
function newestTime(slot: ReceiptSlot, symbol: string | null = null): bigint | null {
  const [first, ...more] = (slotTicks(slot) ?? [])
    .filter((tick) => symbol === null || tick.symbol === symbol)
    .map(({ time }) => time);
  return first === undefined ? null : more.reduce((left, right) => (left > right ? left : right), first);
}

interface SlotTick {
  readonly symbol: string;
  /** In ms. */
  readonly time: bigint;
}

/**
 * Returns a slot's ticks; null if a line is malformed. The house signs the lines, so one that could be read in two ways
 * would let it choose which verifier finds an order late.
 */
function slotTicks({ lines }: ReceiptSlot): SlotTick[] | null {
  if (lines === "") return [];
  const ticks: SlotTick[] = [];
  for (const line of lines.split("\n")) {
    const [symbol = "", ...digits] = SLOT_LINE.exec(line)?.slice(1) ?? [];
    const numbers = digits.map(BigInt);
    const time = numbers[1];
    if (time === undefined || !numbers.every(isExact)) return null;
    ticks.push({ symbol, time });
  }
  return ticks;
}

function isExact(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER);
}

function earliest(moments: readonly (bigint | null)[]): bigint | null {
  return moments.reduce((left, right) => (left !== null && (right === null || left < right) ? left : right), null);
}

/** Checks that the `ticks` entry of each minute shown has the hash of its prices. */
export function checkPricesInLog(evidence: Evidence): Answer {
  const { minutes } = evidence.receipt;
  const waiting: bigint[] = [];
  for (const minute of minutes) {
    const answer = checkMinute(evidence, minute);
    if (typeof answer === "bigint") waiting.push(answer);
    else if (answer !== null) return answer;
  }
  const values = { minutes: minutes.length };
  if (waiting.length === 0) return ok(values);
  return missing(evidence, earliest(waiting), "a minute is not in a checkpoint yet", values);
}

/** Returns what is wrong with a minute's prices, null for nothing, or its end (ms) if it is in no checkpoint yet. */
function checkMinute(
  { hashes, order, policy }: Evidence,
  { lines, logged }: Receipt["minutes"][number],
): Answer | bigint | null {
  const ticks = parsePriceLines(lines);
  const first = ticks?.[0];
  if (ticks === null || first === undefined) return failed("the prices are malformed");
  const time = (first.time / MINUTE_MS) * MINUTE_MS;
  const values = { minute: Number(time), prices: ticks.length };
  if (logged === null) return minuteEnd(time);
  const fact = checkLogged(hashes, "ticks", logged, policy);
  if (fact.state === "failed") return failed(fact.why, values);
  const { entry } = fact;
  const isSame = entry.symbol === order?.symbol && entry.time === time && isMinuteOf(entry, ticks);
  if (!isSame) return failed("the log's minute is another", values);
  if (!equalBytes(hashes.sha256(utf8(lines)), entry.hash)) return failed("the log has other prices", values);
  return fact.state === "pending" ? minuteEnd(time) : null;
}

/** Checks that both ticks follow from the seed, which was committed to before its epoch and revealed after it. */
export function checkReplay(evidence: Evidence): Answer {
  const { order, decision, receipt } = evidence;
  if (receipt.source !== "SM1") return ok({ source: receipt.source });
  if (order === null || decision === null) return failed("order or prices are malformed");
  if (decision.state !== "decided" || receipt.result === null) return pending("not decided yet");
  const { entry, exit } = decision.decided;
  const waitingFor = [entry, exit]
    .filter((tick) => tick !== null)
    .filter((tick) => sourceOfTick(receipt, tick) === SIMULATED);
  const values = { ticks: waitingFor.length, epochs: receipt.epochs.length };
  let found = 0;
  for (const epoch of receipt.epochs) {
    const answer = replayOne(evidence, epoch, order.symbol, waitingFor);
    if (typeof answer === "number") found += answer;
    else return answer;
  }
  return found === waitingFor.length ? ok(values) : failed("a tick is from no epoch shown", values);
}

/** Returns the period of the order's ticks. Only verifying the whole log checks the beacon's rounds outside it. */
function stretchOf(ticks: readonly Tick[]): RoundStretch {
  const times = ticks.map(({ time }) => time).toSorted((left, right) => Number(left - right));
  const [from = 0n as Instant, to = from] = [times[0], times.at(-1)];
  return { from, to };
}

/** Counts the wanted ticks that follow from an epoch, or returns the result that ends the check. */
function replayOne(
  evidence: Evidence,
  epoch: Receipt["epochs"][number],
  symbol: string,
  wanted: readonly Tick[],
): number | Answer {
  const read = readEpoch(evidence, epoch);
  if ("state" in read) return read;
  const { hashes, policy } = evidence;
  const { proof, commitIndex } = read;
  const { open } = proof;
  const values = { epoch: Number(open.e) };
  const mix = checkMix(hashes, open, { ...proof.commit, index: commitIndex }, policy);
  if (!mix.ok) return failed(mix.fault, values);
  const fault = checkSeed(hashes, proof);
  if (fault !== null) return failed(fault, values);
  const replay = replayEpoch(hashes, proof, symbol, checkRounds(hashes, proof, stretchOf(wanted)));
  if (!replay.ok) return failed(replay.fault, values);
  const mine = wanted.filter((tick) => isInEpoch(open, tick));
  const wrong = mine.find((tick) => !isMade(open, replay.ticks, tick));
  return wrong === undefined ? mine.length : failed("the seed makes another price", { tick: describeTick(wrong) });
}

/**
 * Reads an epoch's entries, all of which must be in the log and in order, or returns the result that ends the check.
 */
function readEpoch(
  { hashes, policy }: Evidence,
  epoch: Receipt["epochs"][number],
): Answer | { readonly proof: Sm1Evidence; readonly commitIndex: number } {
  const params = checkLogged(hashes, "params", epoch.params, policy);
  const commit = checkLogged(hashes, "epoch.commit", epoch.commit, policy);
  const open = checkLogged(hashes, "epoch.open", epoch.open, policy);
  const reveal = epoch.reveal === null ? null : checkLogged(hashes, "epoch.reveal", epoch.reveal, policy);
  for (const fact of [params, commit, open, reveal]) if (fact?.state === "failed") return failed(fact.why);
  if (params.state !== "ok" || commit.state !== "ok" || open.state !== "ok" || reveal?.state !== "ok") {
    return pending("the seed is not revealed yet");
  }
  if (params.index > commit.index || commit.index > open.index || open.index > reveal.index) {
    return failed("the epoch's entries are not in order", { epoch: Number(open.entry.e) });
  }
  const [paramsText, commitIndex] = [epoch.params.entry, commit.index];
  const proof = { paramsText, params: params.entry, commit: commit.entry, open: open.entry, reveal: reveal.entry };
  return { proof, commitIndex };
}
