import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { nodeHashes } from "@fairtick/domain/node";
import { beaconPublicKey, newBeaconSecret, signRound, wrongRounds } from "@fairtick/transparency";
import { expect, it } from "vitest";
import { createRoundChecker } from "./check-rounds.ts";

const secret = newBeaconSecret(new Uint8Array(48).fill(0x42));
const publicKey = beaconPublicKey(secret);
const rounds = [1n, 2n, 3n, 4n].map((round) => ({ round, signature: signRound(nodeHashes, secret, round) }));
const bent = rounds.map((one, place) => (place === 2 ? { ...one, signature: rounds[0]!.signature } : one));

/** Measures the processor time that work takes on this thread, in milliseconds. */
async function busyMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

it("returns the same as the check itself, for several calls at a time", async () => {
  const check = createRoundChecker();
  const answers = await Promise.all([check(publicKey, rounds), check(publicKey, bent), check(publicKey, [])]);
  expect(answers).toEqual([[], [2], []]);
});

it("keeps the pairings off the thread that asks", async () => {
  const check = createRoundChecker();
  await check(publicKey, rounds);
  const aside = await busyMs(() => check(publicKey, rounds));
  const here = await busyMs(() => wrongRounds(nodeHashes, publicKey, rounds));
  process.stderr.write(`four rounds: ${here.toFixed(1)} ms on this thread, ${aside.toFixed(1)} ms with the checker\n`);
  expect(aside).toBeLessThan(here / 5);
});

it("keeps no process alive, before or after a check", async () => {
  const address = new URL("check-rounds.ts", import.meta.url).href;
  const bytes = (given: Uint8Array | undefined) => `new Uint8Array(${JSON.stringify([...(given ?? [])])})`;
  const program = `import { createRoundChecker } from ${JSON.stringify(address)};
    createRoundChecker();
    const waiting = setTimeout(() => undefined, 60_000);
    const round = { round: 1n, signature: ${bytes(rounds[0]?.signature)} };
    const wrong = await createRoundChecker()(${bytes(publicKey)}, [round]);
    clearTimeout(waiting);
    process.stdout.write(JSON.stringify(wrong));`;
  const folder = mkdtempSync(join(tmpdir(), "check-rounds-"));
  const file = join(folder, "program.mjs");
  writeFileSync(file, program);
  const ended = await promisify(execFile)(process.execPath, [file], { timeout: 30_000 });
  rmSync(folder, { recursive: true });
  expect(ended.stdout).toBe("[]");
}, 40_000);
