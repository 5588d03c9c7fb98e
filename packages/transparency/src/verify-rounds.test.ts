import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { ROUND_SIGNATURE_BYTES } from "./beacon.ts";
import { OTHER_BEACON as other, TEST_BEACON as secret, testRound } from "./testing-beacon.ts";
import { makeEpochLog, policyOf, testLogKey, testWitness, type TestBeacon } from "./testing-epochs.ts";
import { verifyLog } from "./verify-log.ts";

const witness = testWitness("first", 3);
const policy = policyOf([testLogKey(1)], [witness]);

/** Verifies a log of two epochs, one of SM1 and then one of SM2. */
async function examine(change: Partial<TestBeacon> = {}) {
  const beacon = { sinceEpoch: 2n, secret, ...change };
  const log = makeEpochLog(nodeHashes, { epochs: [{ e: 1n }, { e: 2n }], witness, beacon });
  const { findings, epochs, prices } = await verifyLog(nodeHashes, log, policy);
  const mine = findings.filter(({ check, what }) => check === "epochs" && !what.endsWith("its opening"));
  const told = (grade: "fault" | "note") => mine.filter((each) => each.grade === grade).map(({ what }) => what);
  const entries = findings.filter(({ check }) => check === "entry").map(({ what }) => what);
  return { faults: told("fault"), notes: told("note"), entries, epochs, prices };
}

const bend = (nth: number) => (shown: { from: bigint; signatures: Uint8Array }) => {
  const signatures = Uint8Array.from(shown.signatures);
  signatures.copyWithin(nth * ROUND_SIGNATURE_BYTES, 0, ROUND_SIGNATURE_BYTES);
  return { ...shown, signatures };
};

describe("an honest house with a beacon", { timeout: 20_000 }, () => {
  it("can change from SM1 to SM2 between two epochs", async () => {
    expect(await examine()).toEqual({ faults: [], notes: [], entries: [], epochs: 2, prices: 2_400 });
  });

  it("has no ticks for rounds that never came, which is a note", async () => {
    const { faults, notes, prices } = await examine({ missing: [10, 11, 199] });
    expect(faults).toEqual([]);
    expect(notes).toEqual(["epoch 2: 3 rounds of the beacon never came, first 1211"]);
    expect(prices).toBe(2_400 - 18);
  });
});

describe("a fault is reported for", { timeout: 20_000 }, () => {
  it("a round that the chain did not sign, whether only shown or also used", async () => {
    expect((await examine({ show: bend(7) })).faults).toEqual(["epoch 2: round 1208 is not what the beacon signed"]);
    const used = await examine({ use: (rounds) => rounds.set(1_205n, testRound(nodeHashes, other, 1_205n)) });
    expect(used.faults).toEqual(["epoch 2: round 1205 is not what the beacon signed"]);
  });

  it("rounds of another time", async () => {
    const { faults } = await examine({ show: (shown) => ({ ...shown, from: shown.from + 1n }) });
    expect(faults).toEqual(["epoch 2: it shows the rounds 1202 to 1401, and due were 1201 to 1400"]);
    const early = await examine({ use: (rounds) => rounds.set(1_205n, testRound(nodeHashes, secret, 1_206n)) });
    expect(early.faults).toEqual(["epoch 2: round 1205 is not what the beacon signed"]);
  });

  it("ticks of a round that the log says never came", async () => {
    const blank = (shown: { from: bigint; signatures: Uint8Array }) => {
      const signatures = Uint8Array.from(shown.signatures);
      signatures.fill(0, 5 * ROUND_SIGNATURE_BYTES, 6 * ROUND_SIGNATURE_BYTES);
      return { ...shown, signatures };
    };
    expect((await examine({ show: blank })).faults).toEqual(["epoch 2: the digest of EURUSD is another"]);
  });

  it("a return to SM1", async () => {
    expect((await examine({ sinceEpoch: 1n, untilEpoch: 2n })).faults).toEqual([
      "epoch 2 needs no beacon, and the ones before it do",
    ]);
  });

  it("an epoch with no rounds, too few or malformed ones", async () => {
    expect((await examine({ show: () => null })).faults).toEqual(["epoch 2: it shows no rounds of the beacon"]);
    const short = await examine({ show: ({ from, signatures }) => ({ from, signatures: signatures.subarray(48) }) });
    expect(short.faults).toEqual(["epoch 2: it shows the rounds 1201 to 1399, and due were 1201 to 1400"]);
    const broken = await examine({ show: ({ from, signatures }) => ({ from, signatures: signatures.subarray(1) }) });
    expect(broken.entries).toEqual(["entry.rounds.signatures are not of 48 bytes each"]);
  });
});
