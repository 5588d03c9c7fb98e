import { toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { parseReleaseList, readRelease, releaseList } from "./release-list.ts";
import { makeWorld, POLICY, type TestEntry } from "./testing.ts";
import { START } from "./testing-house.ts";
import { formatTlogProof } from "./tlog-proof.ts";
import { openTileTree } from "./tile-tree.ts";
import { verifyLog } from "./verify-log.ts";

const FILES = [
  { path: "/index.html", sha256: "ab".repeat(32) },
  { path: "/assets/é.js", sha256: "cd".repeat(32) },
  { path: "/assets/a-12345678.js", sha256: "ef".repeat(32) },
];
const LIST = releaseList(FILES);

function released(list: string, at = START + 1_000n, more: TestEntry["fields"] = {}): TestEntry {
  const app = toHex(nodeHashes.sha256(utf8(list)));
  return { time: at, kind: "release", fields: { app, at, files: 3, verifier: null, ...more } };
}

async function logOf(...more: TestEntry[]) {
  const change = (entries: TestEntry[]) =>
    [...entries, ...more].toSorted((left, right) => Number(left.time - right.time));
  return makeWorld(nodeHashes, [], { change });
}

/** Makes a log with a release entry that serves `list` as its release. */
async function shownBy(entry: TestEntry, list: string) {
  const world = await logOf(entry);
  const index = world.entries.findIndex(({ kind }) => kind === "release");
  const path = await openTileTree(nodeHashes, world, world.size).inclusionProof(index);
  const proof = formatTlogProof({ index, path, checkpoint: world.checkpoint });
  world.files.set("release", utf8(JSON.stringify({ entry: world.entries[index]?.text, list, proof })));
  return world;
}

describe("the list of released files", () => {
  it("has a line for each file, sorted by path, and exactly one valid text", () => {
    expect(LIST.split("\n").map((line) => line.slice(65))).toEqual([
      "/assets/a-12345678.js",
      "/assets/é.js",
      "/index.html",
    ]);
    expect(parseReleaseList(LIST)).toHaveLength(3);
    const [first = "", second = "", third = ""] = LIST.split("\n");
    expect(parseReleaseList("")).toEqual([]);
    for (const other of [`${LIST}\n`, [second, first, third].join("\n"), first.toUpperCase(), first.slice(1)])
      expect(parseReleaseList(other)).toBeNull();
  });

  it("is accepted only with a logged entry that has its hash", async () => {
    const release = await readRelease(nodeHashes, await shownBy(released(LIST), LIST), POLICY);
    expect([release.at, release.files.length, release.verifier]).toEqual([START + 1_000n, 3, null]);
    const bent = LIST.replace("ab", "ba");
    await expect(readRelease(nodeHashes, await shownBy(released(LIST), bent), POLICY)).rejects.toThrow(
      "the list of files is not the one that the log's release hashes",
    );
    const world = await shownBy(released(LIST), LIST);
    const other = { ...POLICY, logKeys: [] };
    await expect(readRelease(nodeHashes, world, other)).rejects.toThrow("the release is not in the log");
    await expect(readRelease(nodeHashes, await logOf(), POLICY)).rejects.toThrow("shows no release");
  });
});

describe("a release in the log", () => {
  const findings = async (...entries: TestEntry[]) =>
    (await verifyLog(nodeHashes, await logOf(...entries), POLICY)).findings.map(
      ({ grade, check, what }) => `${grade} ${check}: ${what}`,
    );

  it("is noted in the report, and is a fault if it was logged late", async () => {
    const app = toHex(nodeHashes.sha256(utf8(LIST)));
    const note = `note releases: since 2025-11-21T04:40:01.000Z it serves the app ${app} (3 files) and no verifier`;
    expect(await findings(released(LIST))).toEqual(expect.arrayContaining([note]));
    const late = { ...released(LIST), time: START + 180_000n };
    expect((await findings(late)).filter((each) => each.startsWith("fault"))).toEqual([
      expect.stringMatching(/^fault releases: the release of 2025-11-21T04:40:01.000Z was written \d+ ms late$/),
    ]);
  });
});
