import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckpoint, signCheckpoint } from "../checkpoint.ts";
import { ED25519_TYPE, formatVerifierKey, parseVerifierKey, signerKey, type VerifierKey } from "../keys.ts";
import { openTileTree, type TileTree } from "../tile-tree.ts";
import { EMPTY_LOG, growLog } from "../tree-edge.ts";
import { formatAddCheckpoint, readCosignatures } from "../witness.ts";
import { createWitnessServer } from "./witness-server.ts";
import { openWitnessStore } from "./witness-store.ts";

const ORIGIN = "house.example/log";
const logKey = signerKey(ORIGIN, ED25519_TYPE, new Uint8Array(32).fill(7));
const honest = Array.from({ length: 40 }, (_, index) => `entry ${index}`);
const forked = honest.map((entry, index) => (index === 3 ? "bent" : entry));

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "witness-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  rmSync(folder, { recursive: true });
});

interface Witness {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: VerifierKey;
}

async function start(): Promise<Witness> {
  const args = [
    "witness",
    "--folder",
    folder,
    "--log",
    formatVerifierKey(logKey.verifier),
    "--name",
    "second.example/w",
  ];
  const child = fork(join(import.meta.dirname, "main.ts"), args, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  children.push(child);
  const [told] = (await once(child, "message")) as [{ url: string; key: string }];
  return { child, url: told.url, key: parseVerifierKey(told.key)! };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

function treeOf(entries: readonly string[]): TileTree {
  const { files } = growLog(nodeHashes, EMPTY_LOG, entries.map(utf8));
  const byPath = new Map(files.map((file) => [file.path, file.bytes]));
  return openTileTree(nodeHashes, { read: (path) => Promise.resolve(byPath.get(path) ?? null) }, entries.length);
}

async function add(witness: Witness, entries: readonly string[], oldSize: number) {
  const tree = treeOf(entries);
  const checkpoint = signCheckpoint({ origin: ORIGIN, size: tree.size, root: await tree.root() }, logKey);
  const proof = oldSize <= tree.size ? await tree.consistencyProof(oldSize) : [];
  const body = formatAddCheckpoint({ oldSize, proof, checkpoint });
  const answer = await fetch(`${witness.url}/add-checkpoint`, { method: "POST", body });
  return { status: answer.status, body: await answer.text(), checkpoint };
}

describe("fairtick witness", () => {
  it("cosigns a growing log, and remembers its size after being killed", async () => {
    const first = await start();
    const { status, body, checkpoint } = await add(first, honest.slice(0, 10), 0);
    expect(status).toBe(200);
    const policy = { origin: ORIGIN, logKeys: [logKey.verifier], witnessKeys: [first.key] };
    const opened = openCheckpoint(`${checkpoint}${body}`, policy);
    expect(opened.ok && opened.witnesses.map((each) => each.key.name)).toEqual(["second.example/w"]);
    await kill(first.child);
    const second = await start();
    expect(second.key).toEqual(first.key);
    expect(await add(second, honest.slice(0, 12), 0)).toMatchObject({ status: 409, body: "10\n" });
    expect((await add(second, honest.slice(0, 12), 10)).status).toBe(200);
  });

  it("refuses a fork and a rollback, before and after being killed", async () => {
    let witness = await start();
    await add(witness, honest.slice(0, 20), 0);
    for (let round = 0; round < 2; round += 1) {
      expect((await add(witness, forked.slice(0, 20), 20)).status).toBe(409);
      expect((await add(witness, forked.slice(0, 30), 20)).status).toBe(422);
      expect(await add(witness, honest.slice(0, 15), 15)).toMatchObject({ status: 409, body: "20\n" });
      expect((await add(witness, honest.slice(0, 15), 20)).status).toBe(400);
      await kill(witness.child);
      witness = await start();
    }
    expect((await add(witness, honest, 20)).status).toBe(200);
  });

  it("handles concurrent requests one at a time", async () => {
    const witness = await start();
    const [left, right] = await Promise.all([add(witness, honest.slice(0, 9), 0), add(witness, forked.slice(0, 9), 0)]);
    expect([left.status, right.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const won = left.status === 200 ? left : right;
    expect(
      readCosignatures(won.body, won.checkpoint.slice(0, won.checkpoint.indexOf("\n\n") + 1), [witness.key]),
    ).toHaveLength(1);
  });

  it("makes its files private, and doesn't start with a malformed state", async () => {
    const witness = await start();
    await add(witness, honest.slice(0, 5), 0);
    await kill(witness.child);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    const state = readdirSync(folder).find((name) => name.endsWith(".state"))!;
    writeFileSync(join(folder, state), "nonsense");
    const args = ["witness", "--folder", folder, "--log", formatVerifierKey(logKey.verifier)];
    const child = fork(join(import.meta.dirname, "main.ts"), args, { stdio: "ignore" });
    expect((await once(child, "exit"))[0]).toBe(3);
  });

  it("answers only to its own names, and closes silent sockets", async () => {
    const store = await openWitnessStore(folder, "second.example/w", [ORIGIN]);
    const parts = { hashes: nodeHashes, store, logKeys: [logKey.verifier], seconds: () => 0n, timeoutMs: 300 };
    const server = createWitnessServer({ ...parts, allowedHosts: ["witness.example"] }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const ask = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ host: "127.0.0.1", port, headers: { host }, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on("error", reject).end();
      });
    expect(await ask(`127.0.0.1:${port}`)).toBe(200);
    expect(await ask("witness.example")).toBe(200);
    expect(await ask("rebound.example")).toBe(421);
    const silent = connect(port, "127.0.0.1").resume();
    await once(silent, "close");
    server.close();
    server.closeAllConnections();
  });

  it("refuses malformed and overlong requests", async () => {
    const { url } = await start();
    const post = async (body: string) => (await fetch(`${url}/add-checkpoint`, { method: "POST", body })).status;
    expect(await post("old 0\n\nnothing")).toBe(400);
    expect(await post("x".repeat(70_000))).toBe(413);
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
    expect(await (await fetch(url)).text()).toMatch(/^second\.example\/w\+/);
  });
});
