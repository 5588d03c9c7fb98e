import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatPosting, type Posting, readBoardLine } from "../board.ts";
import { formatVerifierKey, parseVerifierKey } from "../keys.ts";
import { postingOf } from "../testing-board.ts";
import { acceptanceKey } from "../testing-receipt.ts";
import { makeRotation, rotationEntry, testKey } from "../testing-rotation.ts";
import { makeWorld, POLICY, type World } from "../testing.ts";
import { readBoard } from "./board-source.ts";
import { type RunningWitness, startWitness } from "./witness-command.ts";

// The board of a running witness: members post to it, and anyone can read it.

let world: World;
let folder: string;
let witness: RunningWitness;
beforeAll(async () => {
  world = await makeWorld(nodeHashes, [
    { at: 30_130n, sealed: "never" },
    { at: 30_130n, sealed: "never", direction: "down" },
  ]);
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "board-"));
  witness = await start();
});
afterEach(async () => {
  await witness.close();
  rmSync(folder, { recursive: true });
});

async function start(acceptance = [formatVerifierKey(acceptanceKey.verifier)]): Promise<RunningWitness> {
  const logs = [POLICY.logKeys[0]!, rotating.verifier].flatMap((key) => ["--log", formatVerifierKey(key)]);
  const keys = acceptance.flatMap((key) => ["--acceptance", key]);
  const started = await startWitness(["--folder", folder, "--name", "w.example/1", ...logs, ...keys]);
  if (started === null) throw new Error("not started");
  return started;
}

const rotating = testKey(1);
const nextKey = testKey(99, acceptanceKey.verifier.name);
const posting = (place = 0, change: Partial<Posting> = {}) =>
  formatPosting({ ...postingOf(nodeHashes, world.placed[place]!, acceptanceKey), ...change });
const post = (body: string) => fetch(`${witness.url}/reveal`, { method: "POST", body });
const read = () => readBoard(witness.url, [parseVerifierKey(witness.key)!]);

describe("a witness's board", () => {
  it("takes each opening of an accepted order once, and keeps it across a restart", async () => {
    const answer = await post(posting(0));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const line = (await answer.text()).trim();
    const [first] = (await read()).reveals;
    expect(readBoardLine(line, [parseVerifierKey(witness.key)!])).toEqual(first);
    expect(await (await post(posting(0))).text()).toBe(`${line}\n`);
    expect((await post(posting(1))).status).toBe(200);
    await witness.close();
    witness = await start();
    expect((await post(posting(0))).status).toBe(200);
    const { reveals } = await read();
    expect(reveals.map(({ n, posting: told }) => [n, told.place, told.direction])).toEqual([
      [0, 0, "up"],
      [1, 1, "down"],
    ]);
    expect(reveals[0]).toEqual(first);
    expect(Number(first?.at)).toBeGreaterThan(Date.now() - 60_000);
  });

  it.each([
    ["a malformed posting", () => "{}", 400],
    ["the other direction", () => posting(0, { direction: "down" }), 403],
    ["an order that wasn't accepted", () => posting(0, { batch: 9 }), 403],
    ["a key that it doesn't know", () => posting(0, { key: "00000000" }), 403],
    ["a body that is too long", () => "x".repeat(7_000), 413],
  ])("refuses %s", async (_what, body, status) => {
    expect((await post(body())).status).toBe(status);
    expect((await read()).reveals).toEqual([]);
  });

  it("serves its lines from a number on, and no other pages", async () => {
    await post(posting(0));
    const page = async (path: string) => {
      const answer = await fetch(`${witness.url}${path}`);
      return [answer.status, (await answer.text()).split("\n").length - 1];
    };
    expect(await page("/board/0")).toEqual([200, 1]);
    expect(await page("/board/1")).toEqual([200, 0]);
    expect((await page("/board/x"))[0]).toBe(404);
    expect((await page("/reveal"))[0]).toBe(404);
  });

  it("drops a line that a crash cut short, and refuses to start on one that isn't its own", async () => {
    await post(posting(0));
    await witness.close();
    appendFileSync(join(folder, "board.txt"), '{"record":"{');
    witness = await start();
    await post(posting(1));
    expect((await read()).reveals).toHaveLength(2);
    await witness.close();
    appendFileSync(join(folder, "board.txt"), "nonsense\n");
    await expect(start()).rejects.toThrow("line 3 of the board");
    rmSync(join(folder, "board.txt"));
    witness = await start();
  });

  it("is ignored under another witness's key", async () => {
    await post(posting(0));
    const { reveals, line } = await readBoard(witness.url, POLICY.witnessKeys);
    expect(reveals).toEqual([]);
    expect(line).toContain("1 lines that no pinned witness signed");
  });

  it("takes postings under a key that a watched log rotated to, whoever brings the rotation, and after a restart", async () => {
    const under = formatPosting(postingOf(nodeHashes, world.placed[0]!, nextKey));
    const bring = (body: string) => fetch(`${witness.url}/rotations`, { method: "POST", body });
    expect((await post(under)).status).toBe(403);
    const entry = rotationEntry(nextKey, "acceptance");
    const rotation = await makeRotation(nodeHashes, entry, [rotating], false);
    expect((await bring("[]")).status).toBe(200);
    expect((await bring(JSON.stringify([await makeRotation(nodeHashes, entry, [testKey(2)])]))).status).toBe(200);
    expect((await bring('[{"entry":1}]')).status).toBe(400);
    expect((await bring("x".repeat(300_000))).status).toBe(413);
    expect((await post(under)).status).toBe(403);
    const learned = await bring(JSON.stringify([rotation]));
    expect([learned.status, learned.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(await (await bring(JSON.stringify([rotation]))).text()).toBe("0 new\n");
    await witness.close();
    witness = await start();
    expect((await post(under)).status).toBe(200);
    expect((await post(posting(1))).status).toBe(200);
  });

  it("is kept only if acceptance keys are given", async () => {
    await witness.close();
    witness = await start([]);
    expect((await post(posting(0))).status).toBe(404);
  });
});
