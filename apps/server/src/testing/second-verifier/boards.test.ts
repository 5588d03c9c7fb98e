import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import { formatBoardLine, formatPosting, type Posting, readBoardLine, verifyLog } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import { makeWorld, POLICY, type TestEntry, witnessKey } from "@fairtick/transparency/testing";
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

it.each<[string, (response: ServerResponse) => unknown, RegExp]>([
  ["that a witness says it doesn't keep", (to) => to.writeHead(404).end("no board is kept here\n"), /no board/],
  ["that somebody else has never heard of", (to) => to.writeHead(404).end("no such page\n"), /no board|HTTP 404/],
  ["that never ends", (to) => to.end("x\n".repeat(200)), /does not end after 100000 lines/],
  ["that gives too many lines at once", (to) => to.end("x\n".repeat(201)), /more than 200 lines/],
  ["whose page is too long", (to) => to.end("x".repeat(4_100_000)), /(?:too long|longer than)/],
])("a board %s is no empty board to both verifiers: they examine nothing", async (_what, answer, why) => {
  const server = createServer((_request, response) => answer(response)).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const board = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = writeKeys(folder, POLICY);
  const log = writeLog(join(folder, "log"), world.files);
  await expect(run(["verify", "--log", log, "--keys", keys, "--board", board])).rejects.toThrow(why);
  const { exitCode, lines } = await runPython(["verify-log", "--keys", keys, "--board", board, log]);
  expect([exitCode, lines.join("\n")]).toEqual([3, expect.stringMatching(why)]);
  server.closeAllConnections();
  server.close();
});

const dated = (order: object, revealedAt: bigint) => ({ ...order, revealedAt });

// A house that settles an order only minutes after its reveal, and dates the reveal to then.
it.each<[string, bigint, boolean]>([
  ["more than a minute before", 33_000n, false],
  ["less than a minute before", 83_000n, true],
])("a board with its reveal %s the house says it had it", async (_what, after, holds) => {
  const at = START - 90_000n;
  const release = { time: at, kind: "release", fields: { app: "ab".repeat(32), at, files: 3n, verifier: null } };
  const dateLate = (entry: TestEntry): TestEntry => {
    if (entry.kind !== "orders.settle") return entry;
    const revealedAt = START + 121_000n;
    const orders = (entry.fields["orders"] as object[]).map((order) => dated(order, revealedAt));
    const settledAt = revealedAt + 500n;
    return { ...entry, time: settledAt, fields: { ...entry.fields, orders, settledAt } };
  };
  const change = (all: TestEntry[]) =>
    [release, ...all].map(dateLate).toSorted((left, right) => Number(left.time - right.time));
  const late = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed", durationSeconds: 30 }], {
    isPunctual: true,
    change,
  });
  const told = formatPosting(postingOf(nodeHashes, late.placed[0]!, acceptanceKey));
  const text = formatBoardLine(witnessKey, 0, START + after, told);
  const reveals = [readBoardLine(text, POLICY.witnessKeys)!];
  const { findings } = await verifyLog(nodeHashes, late, POLICY, null, null, { reveals });
  const here = findings.filter(({ grade }) => grade === "fault").map(({ check }) => check);
  expect(here).toEqual(holds ? [] : ["settlements"]);
  const board = join(folder, "late.txt");
  writeFileSync(board, `${text}\n`);
  const log = writeLog(join(folder, `late-${after}`), late.files);
  const { exitCode, lines } = await runPython([
    "verify-log",
    "--keys",
    writeKeys(folder, POLICY),
    "--board",
    board,
    log,
  ]);
  expect([exitCode, lines.filter((each) => each.startsWith("fault")).length]).toEqual(holds ? [0, 0] : [1, 1]);
});

// A house that was down at the end of the week finds the reveal on the board, and settles the order minutes later.
it.each<[string, boolean]>([
  ["that says so in an incident", true],
  ["that says nothing", false],
])("a board with its reveal just before the end of the week, read late by a house %s", async (_what, holds) => {
  const expiry = START + 60_130n;
  const told = { reveal: expiry + week - 30_000n, revealedAt: expiry + week - 1n, settledAt: expiry + week + 200_000n };
  const release = {
    time: START - 90_000n,
    kind: "release",
    fields: { app: "ab".repeat(32), at: START - 90_000n, files: 3n, verifier: null },
  };
  const { revealedAt, settledAt } = told;
  const incident = {
    time: settledAt,
    kind: "incident",
    fields: { at: settledAt, from: revealedAt, orders: 1, part: "settlement", reason: "down", to: settledAt },
  };
  const dateLate = (entry: TestEntry): TestEntry[] => {
    if (entry.kind !== "orders.settle") return [entry];
    const orders = (entry.fields["orders"] as object[]).map((order) => dated(order, revealedAt));
    const late = { ...entry, time: settledAt, fields: { ...entry.fields, orders, settledAt } };
    return holds ? [incident, late] : [late];
  };
  const change = (all: TestEntry[]) =>
    [release, ...all].flatMap(dateLate).toSorted((left, right) => Number(left.time - right.time));
  const late = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed", durationSeconds: 30 }], {
    isPunctual: true,
    change,
  });
  const text = formatBoardLine(
    witnessKey,
    0,
    told.reveal,
    formatPosting(postingOf(nodeHashes, late.placed[0]!, acceptanceKey)),
  );
  const reveals = [readBoardLine(text, POLICY.witnessKeys)!];
  const { findings } = await verifyLog(nodeHashes, late, POLICY, null, null, { reveals });
  const faults = findings.filter(({ grade }) => grade === "fault");
  expect(faults.map(({ what }) => what.replace(/^.*, and /, ""))).toEqual(holds ? [] : ["no incident says why"]);
  const board = join(folder, "deadline.txt");
  writeFileSync(board, `${text}\n`);
  const log = writeLog(join(folder, `deadline-${holds}`), late.files);
  const { exitCode, lines } = await runPython([
    "verify-log",
    "--keys",
    writeKeys(folder, POLICY),
    "--board",
    board,
    log,
  ]);
  expect([exitCode, lines.filter((each) => each.startsWith("fault")).length]).toEqual(holds ? [0, 0] : [1, 1]);
});
