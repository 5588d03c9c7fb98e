import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import { formatBoardLine, formatPosting, type Posting, readBoardLine, verifyLog } from "@fairtick/transparency";
import { makeWorld, POLICY, witnessKey } from "@fairtick/transparency/testing";
import { acceptanceKey, postingOf, START } from "@fairtick/transparency/testing-board";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runPython, writeKeys, writeLog } from "./run-python.ts";

// Runs both verifiers on a log whose house counts an order as unrevealed, together with the board of a witness.

let folder: string;
let world: Awaited<ReturnType<typeof makeWorld>>;
let posting: Posting;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "second-boards-"));
  world = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "never" }], { isPunctual: true });
  posting = postingOf(nodeHashes, world.placed[0]!, acceptanceKey);
});
afterAll(() => rmSync(folder, { recursive: true }));

const week = 604_800_000n;
const line = (at: bigint, change: Partial<Posting> = {}) =>
  formatBoardLine(witnessKey, 0, at, formatPosting({ ...posting, ...change }));

it.each<[string, () => string, boolean]>([
  ["with its reveal in time", () => line(START + 33_000n), false],
  ["with its reveal after the week was over", () => line(START + 95_000n + week), true],
  ["with the other direction", () => line(START + 33_000n, { direction: "down" }), true],
  ["for another place", () => line(START + 33_000n, { place: 1 }), true],
  ["whose line was changed", () => line(START + 33_000n).replace('\\"n\\":0', '\\"n\\":1'), true],
  ["with unreadable text", () => "nonsense", true],
])("a board %s", async (_what, made, holds) => {
  const board = join(folder, "board.txt");
  writeFileSync(board, `${made()}\n`);
  const reveals = [readBoardLine(made(), POLICY.witnessKeys)].filter((each) => each !== null);
  const { findings } = await verifyLog(nodeHashes, world, POLICY, null, null, { reveals });
  expect(findings.filter(({ grade }) => grade === "fault").map(({ check }) => check)).toEqual(
    holds ? [] : ["settlements"],
  );
  const keys = writeKeys(folder, POLICY);
  const log = writeLog(join(folder, "log"), world.files);
  const { exitCode, lines } = await runPython(["verify-log", "--keys", keys, "--board", board, log]);
  expect(exitCode).toBe(holds ? 0 : 1);
  const faults = lines.filter((each) => each.startsWith("fault"));
  expect(faults.join("\n")).toContain(holds ? "" : `the board of ${witnessKey.verifier.name} has its reveal`);
  expect(faults).toHaveLength(holds ? 0 : 1);
});
