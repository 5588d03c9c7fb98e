import {
  FIRST_SM1_PARAMS,
  REVEAL_WITHIN_MS,
  settlementDueAt,
  sm1Commit,
  sm1Digest,
  sm1EpochKey,
  sm1EpochTicks,
  sm1Mix,
  sm1Start,
  sm1TickTime,
  concatBytes,
  toHex,
  utf8,
  type Canonical,
  type Hashes,
  type Instant,
  type Points,
  type Sm1Tick,
  type Tick,
} from "@fairtick/domain";
import { toBase64 } from "./base64.ts";
import { signCheckpoint } from "./checkpoint.ts";
import { cosign } from "./cosignature.ts";
import { COSIGNATURE_TYPE, ED25519_TYPE, signerKey } from "./keys.ts";
import { formatSignatureLine } from "./note.ts";
import { beaconTicks, paramsFields, roundsOf, shownRounds, type TestRounds } from "./testing-beacon.ts";
import {
  byMinute,
  config,
  configBody,
  linesOf,
  MINUTE,
  placeAll,
  settledFields,
  START,
  textOf,
  type Placed,
  type TestOrder,
} from "./testing-house.ts";
import { testDeviceHash } from "./testing-device.ts";
import { makeQuotes } from "./testing-quotes.ts";
import { acceptanceKey, makeReceipt, ORIGIN } from "./testing-receipt.ts";
import { headsFields, makeSlots } from "./testing-slots.ts";
import { sourcesIn, sourcesOf, type SourceOptions } from "./testing-sources.ts";
import { openTileTree, type LogReader } from "./tile-tree.ts";
import { formatTlogProof } from "./tlog-proof.ts";
import { EMPTY_LOG, growLog } from "./tree-edge.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

export * from "./testing-beacon.ts";
export * from "./testing-epochs.ts";
export * from "./testing-pyth.ts";
export { makeRotation, pinning, rotationEntry, testKey } from "./testing-rotation.ts";

// For tests: one epoch of an honest house with its log and receipts, made by the rules that the house must follow.

const logKey = signerKey(ORIGIN, ED25519_TYPE, new Uint8Array(32).fill(1));
export const witnessKey = signerKey("witness.example/w1", COSIGNATURE_TYPE, new Uint8Array(32).fill(3));
export const POLICY: VerifierPolicy = {
  origin: ORIGIN,
  logKeys: [logKey.verifier],
  witnessKeys: [witnessKey.verifier],
  acceptanceKeys: [acceptanceKey.verifier],
  witnessesNeeded: 1,
};

/** Time of the log's cosignature, in seconds since 1970 UTC. */
export const COSIGNED_AT = 1_763_700_700n;
const SEED = new Uint8Array(32).fill(0x11);

export interface TestEntry {
  readonly time: bigint;
  readonly kind: string;
  readonly fields: Readonly<Record<string, Canonical>>;
}

export interface WorldOptions extends SourceOptions {
  readonly symbols?: readonly string[];
  readonly ordersPerBatch?: number;
  /** Changes the log's entries, as a dishonest house might. */
  readonly change?: (entries: TestEntry[]) => TestEntry[];
  /** A price that the house publishes, hashes and settles on, though it doesn't follow from the seed. */
  readonly bendPrice?: { readonly symbol: string; readonly tick: number; readonly by: bigint };
  /** Returns whether a tick is not published, as if the market stood still. */
  readonly skip?: (symbol: string, after: bigint) => boolean;
  /** True if the house settles orders by its seal when no further tick comes. */
  readonly isSealed?: boolean;
  /** When the witness cosigned, in seconds. */
  readonly cosignedAt?: bigint;
  /** Writes entries and receipts of version 1, before sealed orders. */
  readonly isFormer?: boolean;
  /** Settles each order half a second after it is due; otherwise all are settled shortly before the epoch's end. */
  readonly isPunctual?: boolean;
  /** Makes the epoch one of SM2. */
  readonly beacon?: TestRounds;
  /** Binds each batch this many slots late. */
  readonly bindLate?: number;
  /** Changes a slot's lines before its head is made and signed. */
  readonly bendLines?: (lines: string, k: number) => string;
  /** How much later than they are published a symbol's ticks are dated, ms. */
  readonly datedAhead?: Readonly<Record<string, bigint>>;
}

export interface World extends LogReader {
  readonly entries: readonly { readonly kind: string; readonly text: string }[];
  readonly files: Map<string, Uint8Array>;
  readonly placed: readonly Placed[];
  readonly checkpoint: string;
  readonly size: number;
  receipt(index: number): Promise<Record<string, unknown>>;
}

/** Returns when the house settles an order, ms. One that is never revealed is settled a week later. */
function settlesAt({ decided, order, acceptedAt, isRevealed }: Placed, isPunctual: boolean): bigint {
  if (!isPunctual || decided === null) {
    return START + 599_000n + (decided?.outcome === "unrevealed" ? REVEAL_WITHIN_MS : 0n);
  }
  const agreed = { acceptedAt, durationSeconds: order.durationSeconds };
  const isOpened = order.sealed !== null && isRevealed;
  return settlementDueAt(agreed, decided, isOpened ? acceptedAt + 1_000n : null) + 500n;
}

/** Cache of price walks by set of instruments, shared by all tests of a file. The seed never changes. */
const walks = new Map<string, Sm1Tick[]>();
function madeOnce(name: string, make: () => Sm1Tick[]): Sm1Tick[] {
  const ticks = walks.get(name) ?? make();
  walks.set(name, ticks);
  return ticks;
}

export async function makeWorld(
  hashes: Hashes,
  orders: readonly TestOrder[],
  options: WorldOptions = {},
): Promise<World> {
  const symbols = options.symbols ?? ["EURUSD", "BTCUSD"];
  const instruments = FIRST_SM1_PARAMS.filter((one) => symbols.includes(one.symbol));
  const entries: TestEntry[] = [];
  const add = (time: bigint, kind: string, fields: TestEntry["fields"]) => entries.push({ time, kind, fields });

  const { beacon } = options;
  const params = paramsFields(instruments, beacon);
  const rounds = beacon && roundsOf(hashes, beacon, START);
  const paramsHash = hashes.sha256(utf8(textOf("params", params)));
  const commit = sm1Commit(hashes, 1n, SEED, paramsHash);
  const mix = sm1Mix(hashes, commit);
  add(START - 90_000n, "params", params);
  add(START - 80_000n, "config", {
    effectiveAt: config.effectiveAt,
    hash: toHex(hashes.sha256(utf8(configBody))),
    version: 1,
  });
  const policyBody = `{"effectiveAt":${START - 75_000n},"regions":[],"version":1}`;
  add(START - 75_000n, "policy", {
    effectiveAt: START - 75_000n,
    hash: toHex(hashes.sha256(utf8(policyBody))),
    name: "regions",
    version: 1,
  });
  add(START - 70_000n, "epoch.commit", { commit: toHex(commit), e: 1, params: toHex(paramsHash) });
  add(START - 40_000n, "epoch.open", { e: 1, mix: toHex(mix), start: START });

  const key = sm1EpochKey(hashes, 1n, SEED, mix);
  const made = instruments.map((one) => ({
    one,
    ticks: rounds
      ? beaconTicks(hashes, one, key, START, rounds, beacon?.chain)
      : madeOnce(`${one.symbol} of ${symbols.join()}`, () => sm1EpochTicks(hashes, one, key, sm1Start(one))),
  }));
  const { bendPrice } = options;
  const stated = sourcesOf(options, symbols);
  const ticks = new Map(
    made.map(({ one: { symbol }, ticks }) => [
      symbol,
      ticks
        .map((tick): Tick => {
          const ahead = options.datedAhead?.[symbol] ?? 0n;
          const time = (sm1TickTime(START, tick.t) + ahead) as Instant;
          const isBent = bendPrice?.symbol === symbol && bendPrice.tick === tick.t;
          const price = (isBent ? tick.mid + bendPrice.by : tick.mid) as Points;
          return { seq: BigInt(tick.t + 1), time, price };
        })
        .filter(({ time }) => options.skip?.(symbol, time - START) !== true)
        .map((tick, place) => Object.assign(tick, { seq: BigInt(place + 1) })),
    ]),
  );
  for (const [symbol, words] of stated) {
    for (const { since, source } of words) {
      add(since > START ? since - 1_000n : START - 60_000n, "source", { since, source, symbol });
    }
  }
  add(START + 600_000n, "epoch.reveal", {
    digest: Object.fromEntries(made.map(({ one, ticks }) => [one.symbol, toHex(sm1Digest(hashes, 1n, ticks))])),
    e: 1,
    from: Object.fromEntries(instruments.map((one) => [one.symbol, [sm1Start(one).x.toString(), 1]])),
    seed: toHex(SEED),
    ...(beacon && rounds && shownRounds(beacon, START, rounds)),
  });
  const quotes = options.quoted === undefined ? null : makeQuotes(hashes, options.quoted, ticks);
  if (quotes !== null) add(START - 60_000n, "params.pyth", quotes.params);
  for (const [symbol, all] of ticks) {
    for (const [minute, held] of byMinute(all)) {
      const fields = { count: held.length, from: held[0]?.seq ?? 0n, to: held.at(-1)?.seq ?? 0n, symbol, time: minute };
      const root = quotes?.rootOf(symbol, minute) ?? null;
      const named = sourcesIn(stated.get(symbol) ?? [], held);
      const quoted = {
        ...(root !== null && { quotes: toHex(root) }),
        ...(named.length > 0 && { sources: named }),
      };
      add(minute + MINUTE, "ticks", { ...fields, ...quoted, hash: toHex(hashes.sha256(utf8(linesOf(held)))) });
    }
  }
  const placed = placeAll(hashes, orders, options.ordersPerBatch ?? 3, ticks, {
    sealedThrough: options.isSealed ? START + 3_600_000n : null,
    version: options.isFormer ? 1 : 2,
    bindLate: options.bindLate ?? 0,
    bendLines: options.bendLines,
    datedAhead: options.datedAhead,
  });
  const batches = [...new Set(placed.map((each) => each.batch))];
  const open = placed.filter(({ order }) => order.sealed === null);
  if (open.length < placed.length)
    add(START - 70_000n, "device.add", { at: START - 70_000n, hash: toHex(testDeviceHash(hashes)) });
  const openIn = Map.groupBy(open, ({ batch }) => batch);
  for (const batch of batches) {
    const commitments = toBase64(concatBytes(...batch.commitments));
    const fields = { acceptedAt: batch.acceptedAt, batch: batch.number, commitments, config: config.version };
    const more = batch.version === 1 ? {} : { open: openIn.get(batch)?.length ?? 0, reasons: {}, refusals: "", v: 2 };
    add(batch.acceptedAt, "orders.accept", { ...fields, ...more });
  }
  const slots = makeSlots(hashes, ticks, batches, options);
  for (let from = 0; from < slots.length; from += 120) {
    const held = slots.slice(from, from + 120);
    add((held.at(-1)?.time ?? 0n) + 1n, "heads", headsFields(held));
  }
  const decided = placed.filter((each) => each.decided !== null);
  for (const [settledAt, orders] of Map.groupBy(decided, (each) => settlesAt(each, options.isPunctual === true))) {
    for (let from = 0; from < orders.length; from += 100) {
      const settled = orders.slice(from, from + 100).map((each) => settledFields(hashes, each));
      add(settledAt, "orders.settle", { orders: settled, settledAt, v: options.isFormer ? 1 : 2 });
    }
  }

  const sorted = entries.toSorted((left, right) => Number(left.time - right.time));
  const written = (options.change?.(sorted) ?? sorted).map(({ kind, fields }) => ({
    kind,
    text: textOf(kind, fields),
  }));
  const { files: stored } = growLog(
    hashes,
    EMPTY_LOG,
    written.map((entry) => utf8(entry.text)),
  );
  const files = new Map(stored.map((file) => [file.path, file.bytes]));
  const size = written.length;
  const read = (path: string) => Promise.resolve(files.get(path) ?? null);
  const tree = openTileTree(hashes, { read }, size);
  const note = signCheckpoint({ origin: ORIGIN, size, root: await tree.root() }, logKey);
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  const checkpoint = `${note}${formatSignatureLine(cosign(text, options.cosignedAt ?? COSIGNED_AT, witnessKey))}\n`;
  files.set("checkpoint", utf8(checkpoint));
  files.set("config/1", utf8(configBody));
  files.set("policy/regions/1", utf8(policyBody));
  for (const [symbol, all] of ticks) {
    for (const [minute, held] of byMinute(all)) files.set(`prices/${symbol}/${minute}`, utf8(linesOf(held)));
  }
  for (const [path, text] of quotes?.files ?? []) files.set(path, utf8(text));

  async function logged(kind: string, holds: (text: string) => boolean = () => true) {
    const index = written.findIndex((entry) => entry.kind === kind && holds(entry.text));
    const entry = written[index];
    if (entry === undefined) throw new Error(`no ${kind}`);
    const path = await tree.inclusionProof(index);
    return { entry: entry.text, proof: formatTlogProof({ index, path, checkpoint }) };
  }

  const receipt = (index: number) =>
    makeReceipt({ placed, ticks, slots, logged, quotes, isStated: stated.size > 0 }, index);
  return { entries: written, files, placed, checkpoint, size, read, receipt };
}
