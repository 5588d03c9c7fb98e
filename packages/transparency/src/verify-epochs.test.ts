import { nodeHashes } from "@fairtick/domain/node";
import { utf8 } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import { formatVerifierKey } from "./keys.ts";
import { parseLogEntry, type LogEntryKind, type LogEntryOf } from "./log-entry.ts";
import { formatNote, parseNote } from "./note.ts";
import { checkMix } from "./sm1-proof.ts";
import { findTimeless, signTimeless } from "./timeless-signature.ts";
import { makeEpochLog, policyOf, testLogKey, testWitness, type EpochPlan, type TestEpoch } from "./testing-epochs.ts";
import { verifyLog } from "./verify-log.ts";

const [first, second] = [testWitness("first", 3), testWitness("second", 4)];
const logKey = testLogKey(1);

/**
 * Makes epochs that are opened in this order, each with a mix from the signature of the witness that its commit names.
 */
const epochs = (...numbers: readonly bigint[]): TestEpoch[] => numbers.map((e) => ({ e }));
const withAt = (nth: number, change: Partial<TestEpoch>, all = epochs(1n, 2n, 3n, 4n)) =>
  all.map((each, place) => (place === nth ? { ...each, ...change } : each));

async function examine(plan: Partial<EpochPlan>, policy = policyOf([logKey], [first])) {
  const log = makeEpochLog(nodeHashes, { epochs: epochs(1n, 2n, 3n, 4n), witness: first, ...plan });
  const { findings, epochs: count } = await verifyLog(nodeHashes, log, policy);
  const mine = findings.filter(({ check }) => check !== "heads" && check !== "settlements");
  const told = (grade: "fault" | "note") =>
    mine.filter((each) => each.grade === grade).map((each) => `${each.check}: ${each.what}`);
  const notes = told("note").filter((note) => !note.endsWith("its opening") && !note.startsWith("incidents: "));
  return { faults: told("fault"), notes, count };
}

function parse<Kind extends LogEntryKind>(kind: Kind, text = ""): LogEntryOf<Kind> {
  const parsed = parseLogEntry(utf8(text));
  if (!parsed.ok || parsed.entry.kind !== kind) throw new Error(`no ${kind}: ${text}`);
  return parsed.entry as LogEntryOf<Kind>;
}

const bent = (bytes: Uint8Array) => bytes.map((byte, place) => (place === 3 ? byte ^ 1 : byte));

const NOBODY = "its commit names no witness: the house alone made its mix";
const ROOT = "no witness's signature was mixed in";

describe("an honest house", () => {
  it("has no faults, epoch after epoch", async () => {
    expect(await examine({})).toEqual({ faults: [], notes: [], count: 4 });
  });

  it("may begin before any witness can sign", async () => {
    const { faults, notes } = await examine({ epochs: withAt(0, { mixed: "commit" }, withAt(1, { mixed: "root" })) });
    expect(faults).toEqual([]);
    expect(notes).toEqual(["epochs: epoch 1: nothing was mixed in but the commit itself", `epochs: epoch 2: ${ROOT}`]);
  });

  it("may stand still for an hour and continue with the next epoch", async () => {
    const { faults } = await examine({
      epochs: withAt(2, { gap: 3_600_000n }),
      isTrading: (after) => after < 1_200_000n || after > 4_900_000n,
    });
    expect(faults).toEqual([]);
  });

  it("may be without its witness while it accepts no orders", async () => {
    const isTrading = (after: bigint) => after < 30_000n || after > 1_765_000n;
    const gone = await examine({ epochs: withAt(3, { mixed: "root", opensBefore: 35_000n }), isTrading });
    expect(gone).toMatchObject({ faults: [], notes: [`epochs: epoch 4: ${ROOT}`] });
  });

  it("may remove an absent witness, which then no longer cosigns", async () => {
    const notes = [`epochs: epoch 4: ${ROOT}`];
    const plan = { epochs: withAt(3, { by: first, mixed: "root" }), witness: first, cosigner: second };
    const both = { ...policyOf([logKey], [first, second]), witnessesNeeded: 1 };
    expect(await examine(plan, both)).toMatchObject({ faults: [], notes });
  });

  it("may change to a new witness, with no faults for readers who pin only that one", async () => {
    const moved = withAt(
      2,
      { by: second },
      withAt(3, { by: second }, withAt(0, { by: first }, withAt(1, { by: first }))),
    );
    const name = (e: number, who: string) =>
      `epochs: epoch ${e}: its commit names ${who}.example/w, a witness that is not pinned`;
    const mixed = { epochs: moved, witness: second };
    expect(await examine(mixed, policyOf([logKey], [second]))).toMatchObject({
      faults: [],
      notes: [name(1, "first"), name(2, "first")],
    });
    expect(await examine(mixed, policyOf([logKey], [first, second]))).toMatchObject({ faults: [], notes: [] });
    expect(await examine(mixed, policyOf([logKey], []))).toMatchObject({ faults: [], notes: [] });
  });

  it("may have had no witness before, with a note for each such epoch", async () => {
    const { faults, notes } = await examine({ epochs: withAt(0, { by: null }, withAt(1, { by: null })) });
    expect(faults).toEqual([]);
    expect(notes).toEqual([1, 2].map((e) => `epochs: epoch ${e}: ${NOBODY}`));
  });

  it("may continue an older log that named no witness and made mixes from a cosignature of any checkpoint", async () => {
    const older = { by: null, mixed: "cosignature", later: 1 } as const;
    const { faults, notes } = await examine({ epochs: withAt(0, older, withAt(1, older)) });
    expect(faults).toEqual([]);
    expect(notes).toEqual([1, 2].map((e) => `epochs: epoch ${e}: ${NOBODY}`));
    // The checkpoint must have the commit, though.
    const before = await examine({ epochs: withAt(0, { ...older, later: -1 }) });
    expect(before.faults).toEqual(["epochs: epoch 1: mix is not made of its checkpoint"]);
  });

  it("may change the log's key", async () => {
    const next = testLogKey(9);
    const moved = withAt(2, { logKey: next }, withAt(3, { logKey: next }));
    const rotated = { epochs: moved, logKey: next };
    expect(await examine(rotated, policyOf([logKey, next], [first]))).toMatchObject({ faults: [], notes: [] });
  });
});

describe("a house that chooses its price path is detected", () => {
  it("by missing epochs", async () => {
    const skipped = await examine({ epochs: epochs(1n, 2n, 4n), commits: [1n, 2n, 3n, 4n] });
    expect(skipped.faults).toEqual(["epochs: epoch 4 was opened, and due was epoch 3"]);
    const late = await examine({ epochs: epochs(3n), commits: [1n, 2n, 3n] });
    expect(late.faults).toEqual(["epochs: epoch 3 was opened, and due was epoch 1"]);
    const numbers = await examine({ epochs: epochs(1n, 2n, 5n), commits: [1n, 2n, 5n] });
    expect(numbers.faults).toEqual([
      "epochs: the commit of epoch 5 follows that of 2",
      "epochs: epoch 5 was opened, and due was epoch 3",
    ]);
  });

  it("by a mix from any other checkpoint than the one that ends with the commit", async () => {
    const { faults } = await examine({ epochs: withAt(3, { later: 1 }) });
    expect(faults.join()).toMatch(
      /^epochs: epoch 4: its checkpoint has ([0-9]+) entries, and due was the one of [0-9]+(?:,|$)/,
    );
  });

  it("by a mix without the witness while checkpoints were cosigned", async () => {
    const said = "though checkpoints were cosigned in time";
    const commit = await examine({ epochs: withAt(3, { mixed: "commit" }) });
    expect(commit.faults).toEqual([`epochs: epoch 4: nothing was mixed in but the commit itself, ${said}`]);
    const root = await examine({ epochs: withAt(3, { mixed: "root" }) });
    expect(root.faults).toEqual([`epochs: epoch 4: ${ROOT}, ${said}`]);
  });

  it("by not waiting for the witness that it named", async () => {
    const isTrading = (after: bigint) => after < 1_190_000n || after > 1_800_000n;
    const soon = withAt(3, { mixed: "root", isHasty: true, opensBefore: 200_000n });
    const { faults } = await examine({ epochs: soon, isTrading });
    expect(faults).toEqual([`epochs: epoch 4: ${ROOT}, and its witness was not waited for`]);
    // Orders after the opening prove as well that the witness was there.
    const early = withAt(3, { mixed: "root", isHasty: true });
    const behind = (after: bigint) => after < 1_190_000n || after > 1_210_000n;
    expect((await examine({ epochs: early, isTrading: behind })).faults).toEqual([
      `epochs: epoch 4: ${ROOT}, though checkpoints were cosigned in time`,
    ]);
  });

  it("by an unpinned witness, or none, after openings with a pinned one", async () => {
    const stranger = await examine({ epochs: withAt(2, { by: second }) });
    expect(stranger.faults).toEqual([
      "epochs: epoch 3: its commit names second.example/w between two pinned witnesses",
    ]);
    const nobody = await examine({ epochs: withAt(3, { by: null }) });
    expect(nobody.faults).toEqual([`epochs: epoch 4: ${NOBODY}`]);
  });

  it("by a signature that the witness did not make", async () => {
    const log = makeEpochLog(nodeHashes, { epochs: epochs(1n, 2n), witness: first });
    const opening = log.texts.findIndex((text) => text.includes('"kind":"epoch.open"'));
    const open = parse("epoch.open", log.texts[opening]);
    const place = log.texts.findIndex((text) => text.includes('"kind":"epoch.commit"'));
    const commit = { ...parse("epoch.commit", log.texts[place]), index: place };
    const policy = policyOf([logKey], [first]);
    expect(checkMix(nodeHashes, open, commit, policy)).toMatchObject({ ok: true, witness: { signed: true } });
    const other = { ...commit, witness: formatVerifierKey(second.verifier) };
    expect(checkMix(nodeHashes, open, other, policy)).toEqual({
      ok: false,
      fault: "mix is not made of its checkpoint",
    });
    const { text, signatures } = parseNote(open.checkpoint ?? "")!;
    const forged = signatures.map((each) =>
      each.signature.length === 64 ? { ...each, signature: bent(each.signature) } : each,
    );
    const [own] = signatures;
    const note = formatNote({ text, signatures: [own!, ...forged.slice(1)] });
    expect(checkMix(nodeHashes, { ...open, checkpoint: note }, commit, policy)).toEqual({
      ok: false,
      fault: "the signature of first.example/w on its checkpoint does not hold",
    });
    // The signature of a text is always the same, whenever it is made.
    expect(findTimeless(signatures, first.verifier)).toEqual(signTimeless(text, first));
    const named = { ...commit, witness: "nobody" };
    expect(checkMix(nodeHashes, open, named, policy)).toEqual({
      ok: false,
      fault: "its commit names no key of a witness",
    });
  });

  it("by prices that it invents in the half minute before an epoch", async () => {
    const { faults } = await examine({ epochs: withAt(2, { gap: 30_000n, invented: 59 }) });
    expect(faults).toEqual(["epochs: EURUSD has a tick outside every opened epoch"]);
  });
});
