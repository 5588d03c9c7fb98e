import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { makeEpochLog, policyOf, testLogKey, testWitness, type EpochPlan, type TestEpoch } from "./testing-epochs.ts";
import { verifyLog } from "./verify-log.ts";

const [first, second] = [testWitness("first", 3), testWitness("second", 4)];
const logKey = testLogKey(1);

/** Opened in this order, all mixed with the cosignature of a second before. */
const epochs = (...numbers: readonly bigint[]): TestEpoch[] => numbers.map((e) => ({ e, by: first }));
const withAt = (nth: number, change: Partial<TestEpoch>, all = epochs(1n, 2n, 3n, 4n)) =>
  all.map((each, place) => (place === nth ? { ...each, ...change } : each));

async function examine(plan: Partial<EpochPlan>, policy = policyOf([logKey], [first])) {
  const log = makeEpochLog(nodeHashes, { epochs: epochs(1n, 2n, 3n, 4n), witness: first, ...plan });
  const { findings, epochs: count } = await verifyLog(nodeHashes, log, policy);
  const mine = findings.filter(({ check }) => check !== "heads" && check !== "settlements");
  const told = (grade: "fault" | "note") =>
    mine.filter((each) => each.grade === grade).map((each) => `${each.check}: ${each.what}`);
  const notes = told("note").filter((note) => !note.endsWith("its opening"));
  return { faults: told("fault"), notes, count };
}

/** An epoch whose mix was made without anybody's cosignature. */
const alone = (e: bigint): TestEpoch => ({ e });

describe("an honest house", () => {
  it("is found so, epoch after epoch", async () => {
    expect(await examine({})).toEqual({ faults: [], notes: [], count: 4 });
  });

  it("may begin before anybody could cosign", async () => {
    const { faults, notes } = await examine({ epochs: withAt(0, { by: null }, withAt(1, alone(2n))) });
    expect(faults).toEqual([]);
    expect(notes).toEqual(["epochs: epoch 1: no witness's cosignature was mixed in"]);
  });

  it("may stand still for an hour, and goes on with the next epoch", async () => {
    const { faults } = await examine({
      epochs: withAt(2, { gap: 3_600_000n }),
      isTrading: (after) => after < 1_200_000n || after > 4_900_000n,
    });
    expect(faults).toEqual([]);
  });

  it("may be without its witness, as long as it takes no orders then", async () => {
    const isTrading = (after: bigint) => after < 30_000n || after > 1_300_000n;
    const old = await examine({ epochs: withAt(2, { age: 500_000n }), isTrading });
    expect(old).toMatchObject({ faults: [], notes: ["epochs: epoch 3: its checkpoint was 439 s old"] });
    const none = await examine({ epochs: [...epochs(1n, 2n), alone(3n), ...epochs(4n)], isTrading });
    expect(none.faults).toEqual([]);
    expect(none.notes).toEqual(["epochs: epoch 3: nothing was mixed in but the commit itself"]);
  });

  it("may have a new witness: whoever pins only that one makes the same mixes", async () => {
    const moved = withAt(2, { by: second }, withAt(3, { by: second }));
    const name = (e: number, who: string) =>
      `epochs: epoch ${e}: mixed in was ${who}.example/w, a witness that is not pinned`;
    const mixed = { epochs: moved, witness: second };
    expect(await examine(mixed, policyOf([logKey], [second]))).toMatchObject({
      faults: [],
      notes: [name(1, "first"), name(2, "first")],
    });
    expect(await examine(mixed, policyOf([logKey], [first, second]))).toMatchObject({ faults: [], notes: [] });
    expect(await examine(mixed, policyOf([logKey], []))).toMatchObject({ faults: [], notes: [] });
  });

  it("may have a new key of the log", async () => {
    const next = testLogKey(9);
    const moved = withAt(2, { logKey: next }, withAt(3, { logKey: next }));
    const rotated = { epochs: moved, logKey: next };
    expect(await examine(rotated, policyOf([logKey, next], [first]))).toMatchObject({ faults: [], notes: [] });
  });
});

describe("a house that chooses its path is found out", () => {
  it("by epochs that it leaves out", async () => {
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

  it("by an older checkpoint, while orders were accepted", async () => {
    const { faults } = await examine({ epochs: withAt(3, { age: 120_000n }) });
    expect(faults.join()).toMatch(
      /^epochs: epoch 4: its checkpoint of [0-9]+ entries was not the newest: orders were accepted for 80000 ms after it$/,
    );
  });

  it("by a mix of its own, while checkpoints were cosigned", async () => {
    const commit = await examine({ epochs: [...epochs(1n, 2n, 3n), alone(4n)] });
    expect(commit.faults).toEqual([
      "epochs: epoch 4: nothing was mixed in but the commit itself, though checkpoints were cosigned in time",
    ]);
    const root = await examine({ epochs: withAt(3, { by: null }) });
    expect(root.faults).toEqual([
      "epochs: epoch 4: no witness's cosignature was mixed in, though checkpoints were cosigned in time",
    ]);
  });

  it("by a stranger's signature between those of the witness", async () => {
    const { faults } = await examine({ epochs: withAt(2, { by: second }) });
    expect(faults).toEqual(["epochs: epoch 3: second.example/w was mixed in between two pinned witnesses"]);
  });

  it("by prices that it invents in half a minute before an epoch", async () => {
    const { faults } = await examine({ epochs: withAt(2, { gap: 30_000n, invented: 59 }) });
    expect(faults).toEqual(["epochs: EURUSD has a tick outside every opened epoch"]);
  });
});
