import { nodeHashes } from "@fairtick/domain/node";
import { beforeAll, describe, expect, it } from "vitest";
import { cosignedAt } from "./log-age.ts";
import type { NoteSigner } from "./note.ts";
import { COSIGNED_AT, makeWorld, POLICY, type World } from "./testing.ts";
import { verifyLog } from "./verify-log.ts";

const AT = COSIGNED_AT * 1000n;
let world: World;
beforeAll(async () => {
  world = await makeWorld(nodeHashes, [{ at: 30_130n }]);
});

async function findings(now: bigint | null, policy = POLICY): Promise<string[]> {
  const report = await verifyLog(nodeHashes, world, policy, null, now);
  return report.findings.filter(({ check }) => check === "checkpoint").map(({ grade, what }) => `${grade}: ${what}`);
}

describe("a log's age", () => {
  it("is a fault after a minute without a cosignature", async () => {
    expect(await findings(AT)).toEqual([]);
    expect(await findings(AT + 60_000n)).toEqual([]);
    expect(await findings(AT + 60_001n)).toEqual(["fault: the log has stood still since 2025-11-21T04:51:40.000Z"]);
  });

  it("is a note if it is in the future or unknown, and is not checked in a copy", async () => {
    expect(await findings(AT - 60_000n)).toEqual([]);
    expect(await findings(AT - 60_001n)).toEqual([
      "note: it was cosigned at 2025-11-21T04:51:40.000Z, later than this machine's clock: set that right",
    ]);
    const unwatched = { ...POLICY, witnessKeys: [], witnessesNeeded: 0 };
    expect(await findings(AT, unwatched)).toEqual([
      "note: no witness is pinned that says when: how old the log is cannot be seen",
    ]);
    expect(await findings(null)).toEqual([]);
  });

  it("is the time at which enough witnesses had cosigned", () => {
    const signer = (time: bigint | null): NoteSigner => ({
      key: POLICY.witnessKeys[0]!,
      time,
      signature: new Uint8Array(72),
    });
    const all = [signer(100n), signer(300n), signer(200n)];
    expect([0, 1, 2, 3, 4].map((needed) => cosignedAt(all, needed))).toEqual([
      300_000n,
      300_000n,
      200_000n,
      100_000n,
      null,
    ]);
    expect(cosignedAt([], 0)).toBeNull();
  });
});
