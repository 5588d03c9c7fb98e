import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepRunning, type KeptPart, type Run, runOf } from "./keep-running.ts";

let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-keep-"));
  program = join(folder, "part.mjs");
  // "fails" ends before it works; "works" runs until it is killed.
  writeFileSync(
    program,
    `if (process.argv[2] === "fails") process.exit(7);
     process.on("disconnect", () => process.exit());
     process.send("ready");
     setInterval(() => undefined, 1000);`,
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function begin(how: "works" | "fails"): Run {
  const child = fork(program, [how]);
  const ready = new Promise((done) => child.once("message", done));
  return runOf(child, ready, 2_000);
}

function keep(turns: readonly ("works" | "fails")[], triesMax = 3, more: { readonly waitsForChange?: boolean } = {}) {
  const said: string[] = [];
  const ending = new AbortController();
  let turn = 0;
  const part: KeptPart = keepRunning({
    name: "The part",
    first: begin(turns[0] ?? "works"),
    begin: async (ended) => {
      await ended;
      return begin(turns[(turn += 1)] ?? "works");
    },
    ending: ending.signal,
    say: (sentence) => said.push(sentence),
    triesMax,
    ...more,
  });
  return { part, said, ending };
}

it("restarts a killed part at once", async () => {
  const { part, said } = keep([]);
  const killed = part.pid();
  process.kill(killed, "SIGKILL");
  await expect.poll(() => said).toHaveLength(2);
  expect(part.pid()).not.toBe(killed);
  expect(said).toEqual([
    "The part ended (SIGKILL). Starting it again.",
    `The part is running again (process ${part.pid()}).`,
  ]);
  await part.stop();
});

it("gives up a part that ends right after each start, and says after how many starts", async () => {
  const { part, said } = keep(["fails", "fails", "fails", "fails"]);
  expect(await part.broken).toBe(
    "The part ended 4 times in a row right after its start (code 7), so everything stops. Its last lines are above.",
  );
  expect(said).toEqual([
    "The part ended (code 7). Starting it again.",
    "The part ended (code 7). Starting it again in 0.25 s.",
    "The part ended (code 7). Starting it again in 0.5 s.",
  ]);
});

it("resets the count once a start has lasted", async () => {
  const { part, said } = keep(["fails", "fails", "works", "fails"], 2);
  await expect.poll(() => said.at(-1)).toContain("running again");
  await new Promise((done) => setTimeout(done, 2_200));
  process.kill(part.pid(), "SIGKILL");
  await expect.poll(() => said.filter((sentence) => sentence.includes("running again"))).toHaveLength(2);
  await part.stop();
});

it("restarts nothing once everything ends, and waits for a start that is under way", async () => {
  const { part, said, ending } = keep(["fails", "fails", "works"]);
  await expect.poll(() => said).toHaveLength(2);
  ending.abort();
  await part.stop();
  await new Promise((done) => setTimeout(done, 500));
  expect(said).toHaveLength(2);
});

it("replaces a run on request, and says why and how long it took", async () => {
  const { part, said } = keep([]);
  const first = part.pid();
  await new Promise((done) => setTimeout(done, 300));
  part.restart("orders.ts changed");
  await expect.poll(() => said).toHaveLength(2);
  expect(part.pid()).not.toBe(first);
  expect(said[0]).toBe("orders.ts changed: starting the part again.");
  expect(said[1]).toMatch(/^The part is running again after \d+\.\d s \(process \d+\)\.$/);
  expect(() => process.kill(first, 0)).toThrow("ESRCH");
  await part.stop();
});

it("waits for a change after a failed start during development", async () => {
  const { part, said } = keep(["works", "fails", "works"], 3, { waitsForChange: true });
  await new Promise((done) => setTimeout(done, 300));
  part.restart("orders.ts changed");
  await expect.poll(() => said).toHaveLength(2);
  expect(said[1]).toBe("The part ended (code 7). What it said is above. It starts again when a file changes.");
  await new Promise((done) => setTimeout(done, 600));
  expect(said).toHaveLength(2);
  part.restart("orders.ts changed");
  await expect.poll(() => said.at(-1)).toContain("running again");
  await part.stop();
});

it("can be stopped while it waits for a change", async () => {
  const { part, said } = keep(["fails"], 3, { waitsForChange: true });
  await expect.poll(() => said).toHaveLength(1);
  await part.stop();
});
