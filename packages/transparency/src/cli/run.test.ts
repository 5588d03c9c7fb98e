import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatVerifierKey } from "../keys.ts";
import { COSIGNED_AT, makeWorld, POLICY, type World } from "../testing.ts";
import { parsePolicy, readServedKeys } from "../policy-text.ts";
import { keepLarger } from "./kept-checkpoint.ts";
import { run } from "./run.ts";

let folder: string;
let world: World;
const keys = [
  "# pinned keys",
  `origin ${POLICY.origin}`,
  ...POLICY.logKeys.map((key) => `log ${formatVerifierKey(key)}`),
  ...POLICY.acceptanceKeys.map((key) => `acceptance ${formatVerifierKey(key)}`),
  ...POLICY.witnessKeys.map((key) => `witness ${formatVerifierKey(key)}`),
  "",
].join("\n");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairtick-verify-"));
  world = await makeWorld(nodeHashes, [{ at: 30_130n }, { at: 30_130n, direction: "down" }]);
  for (const [path, bytes] of world.files) {
    await mkdir(dirname(join(folder, "log", path)), { recursive: true });
    await writeFile(join(folder, "log", path), bytes);
  }
  await writeFile(join(folder, "keys"), keys);
  await writeFile(join(folder, "receipt.json"), JSON.stringify(await world.receipt(0)));
});

afterAll(() => rm(folder, { recursive: true }));

describe("fairtick verify", () => {
  it("prints the result of each check of a receipt", async () => {
    const { lines, exitCode } = await run(["verify", join(folder, "receipt.json"), "--keys", join(folder, "keys")]);
    expect(exitCode).toBe(0);
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toBe("VERIFIED");
  });

  it("prints the log's root as the app shows it, so that two people can compare by eye", async () => {
    const { lines } = await run(["verify", "--log", join(folder, "log"), "--keys", join(folder, "keys")]);
    const [, , root = ""] = (await readFile(join(folder, "log/checkpoint"), "utf8")).split("\n");
    const digits = Buffer.from(root, "base64").toString("hex");
    expect(lines[0]?.replaceAll(" ", "")).toContain(`root${digits.slice(0, 16)},`);
  });

  it("exits with 1 for a falsified receipt, 2 for an incomplete one, 3 for a malformed one", async () => {
    const receipt = JSON.parse(await readFile(join(folder, "receipt.json"), "utf8"));
    const path = join(folder, "bent.json");
    const verify = async (value: unknown) => {
      await writeFile(path, JSON.stringify(value));
      return run(["verify", path, "--keys", join(folder, "keys")]);
    };
    const bent = await verify({ ...receipt, result: { ...receipt.result, profit: 1 } });
    expect([bent.exitCode, bent.lines.at(-1)]).toEqual([1, "NOT VERIFIED"]);
    expect(bent.lines.join("\n")).toContain("failed  payout (other amounts were booked)");
    expect((await verify({ ...receipt, settled: null })).exitCode).toBe(2);
    // The receipt's newest checkpoint is ten minutes later than the end of that minute.
    const minutes = receipt.minutes.map((minute: object) => ({ ...minute, logged: null }));
    const overdue = await verify({ ...receipt, minutes });
    expect([overdue.exitCode, overdue.lines.at(-1)]).toEqual([1, "NOT VERIFIED"]);
    expect(overdue.lines.join("\n")).toContain(
      "failed  prices-in-log (overdue: it was due at 2025-11-21T04:41:00.000Z, and a log of 2025-11-21T04:51:40.000Z has it not)",
    );
    expect((await verify({})).exitCode).toBe(3);
  });

  it("measures what is overdue by the log's time if a log is given", async () => {
    const orders = [{ at: 30_130n }];
    const later = await makeWorld(nodeHashes, orders, { cosignedAt: COSIGNED_AT + 7_200n });
    for (const [path, bytes] of later.files) {
      await mkdir(dirname(join(folder, "later", path)), { recursive: true });
      await writeFile(join(folder, "later", path), bytes);
    }
    const path = join(folder, "incomplete.json");
    const given = await (await makeWorld(nodeHashes, orders)).receipt(0);
    const verify = async (change: object, ...more: string[]) => {
      await writeFile(path, JSON.stringify({ ...given, ...change }));
      return run(["verify", path, "--keys", join(folder, "keys"), ...more]);
    };
    const log = ["--log", join(folder, "later")];
    expect((await verify({ settled: null })).exitCode).toBe(2);
    const late = await verify({ settled: null }, ...log);
    expect([late.exitCode, late.lines.at(-1)]).toEqual([1, "NOT VERIFIED"]);
    expect(late.lines.join("\n")).toMatch(/settled-in-log \(not settled yet, though it was due at 2025-11-21T04:41:40/);
    // The log has the price that the receipt lacks.
    const minutes = (given["minutes"] as unknown[]).slice(0, 1);
    expect((await verify({ minutes }, ...log)).exitCode).toBe(1);
    expect((await verify({}, ...log)).exitCode).toBe(0);
  });

  it("keeps waiting for a price that the log lacks too", async () => {
    const silent = await makeWorld(nodeHashes, [{ at: 30_130n }], {
      skip: (symbol, time) => symbol === "EURUSD" && time > 90_000n,
      sources: { EURUSD: [[-50_000n, "kraken"]] },
      isSealed: true,
      cosignedAt: COSIGNED_AT + 7_200n,
    });
    for (const [path, bytes] of silent.files) {
      await mkdir(dirname(join(folder, "silent", path)), { recursive: true });
      await writeFile(join(folder, "silent", path), bytes);
    }
    const path = join(folder, "silent.json");
    await writeFile(path, JSON.stringify({ ...(await silent.receipt(0)), source: "outside", epochs: [] }));
    const args = ["verify", path, "--keys", join(folder, "keys")];
    expect((await run([...args, "--log", join(folder, "silent")])).exitCode).toBe(2);
    // Without the log, the price may exist and be withheld.
    expect((await run(args)).exitCode).toBe(1);
  });

  it("verifies a log over HTTP, and against a saved checkpoint", async () => {
    const server = createServer((request, response) => {
      const bytes = world.files.get((request.url ?? "").replace("/log/", ""));
      response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log/`;
    const args = ["verify", "--log", url, "--keys", join(folder, "keys")];
    const soon = () => Number(COSIGNED_AT * 1000n) + 2_000;
    const first = await run([...args, "--save", join(folder, "seen")], soon);
    expect(first.lines.at(-1)).toBe("VERIFIED");
    expect(first.lines.join("\n")).toContain("decided 2 settlements again");
    const second = await run([...args, "--since", join(folder, "seen")], soon);
    expect(second.lines).toEqual(first.lines);
    expect(second.exitCode).toBe(0);
    // An hour later, with no cosignature since, the log has stood still.
    const stopped = await run(args, () => soon() + 3_600_000);
    expect([stopped.exitCode, stopped.lines.at(-1)]).toEqual([1, "NOT VERIFIED"]);
    expect(stopped.lines.join("\n")).toContain("fault   checkpoint: the log has stood still since");
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await expect(run(args)).rejects.toThrow("fetch failed");
  });

  it("exits with 2 while a settlement waits for its prices", async () => {
    const early = await makeWorld(nodeHashes, [{ at: 30_130n }], {
      change: (entries) =>
        entries.filter(
          ({ kind, fields }) => kind !== "epoch.reveal" && (kind !== "ticks" || Number(fields["from"]) < 100),
        ),
    });
    for (const [path, bytes] of early.files) {
      await mkdir(dirname(join(folder, "early", path)), { recursive: true });
      await writeFile(join(folder, "early", path), bytes);
    }
    const args = ["verify", "--log", join(folder, "early"), "--keys", join(folder, "keys")];
    const { exitCode, lines } = await run(args);
    expect([exitCode, lines.at(-1)]).toEqual([2, "VERIFIED but for the settlements that wait"]);
    expect(lines.join("\n")).toContain("1 wait for prices");
  });

  it("saves no checkpoint of a log that fails verification", async () => {
    const path = join(folder, "log", "checkpoint");
    await writeFile(path, world.checkpoint.replace("fairtick.example/log", "elsewhere.example"));
    const args = ["verify", "--log", join(folder, "log"), "--keys", join(folder, "keys"), "--save", join(folder, "no")];
    const { exitCode, lines } = await run(args);
    await writeFile(path, world.checkpoint);
    expect([exitCode, lines.at(-1)]).toEqual([1, "NOT VERIFIED"]);
    await expect(readFile(join(folder, "no"))).rejects.toThrow("ENOENT");
  });

  it("saves the larger checkpoint, whichever of two runs ends last", async () => {
    const shorter = await makeWorld(nodeHashes, [{ at: 30_130n }, { at: 30_130n, direction: "down" }], {
      change: (entries) => entries.slice(0, -1),
    });
    const path = join(folder, "two-runs");
    await Promise.all([world, shorter, world, shorter].map(({ checkpoint }) => keepLarger(path, checkpoint, POLICY)));
    expect(await readFile(path, "utf8")).toBe(world.checkpoint);
    expect(await keepLarger(path, shorter.checkpoint, POLICY)).toBe("larger");
    expect(await readFile(path, "utf8")).toBe(world.checkpoint);
    // A file without a checkpoint of this log is overwritten.
    await writeFile(path, "something else");
    expect(await keepLarger(path, shorter.checkpoint, POLICY)).toBe("written");
    expect(await readFile(path, "utf8")).toBe(shorter.checkpoint);
    expect((await readdir(folder)).filter((name) => name.startsWith("two-runs"))).toEqual(["two-runs"]);
  });

  it("runs as a program", () => {
    const main = join(import.meta.dirname, "main.ts");
    const args = [main, "verify", "--log", join(folder, "log"), "--keys", join(folder, "keys")];
    expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toContain("\nVERIFIED\n");
  });

  it("prints its usage, and errors that explain what is wrong", async () => {
    expect(await run(["--help"])).toMatchObject({ exitCode: 0 });
    expect(await run([])).toMatchObject({ exitCode: 3 });
    await expect(run(["verify", "a.json"])).rejects.toThrow("no keys are pinned in fairtick.keys");
    await expect(run(["verify", "--lag", "x"])).rejects.toThrow("Unknown option '--lag'");
  });
});

describe("pinned keys", () => {
  it("are parsed, and all witnesses are needed unless a number is given", () => {
    expect(parsePolicy(keys)).toEqual(POLICY);
    expect(parsePolicy(`${keys}witnesses 0\n`).witnessesNeeded).toBe(0);
  });

  it.each([
    ["a witness as a log", keys.replace("witness ", "log ")],
    ["a broken key", keys.replace("log fairtick", "log x")],
    ["an unknown word", `${keys}trust me\n`],
    ["no origin", keys.replace(/origin.*/, "")],
    ["two words", keys.replace("origin ", "origin a ")],
    ["two origins", `${keys}origin other.example/log\n`],
    ["the same origin twice", `${keys}origin ${POLICY.origin}\n`],
    ["more witnesses needed than named", `${keys}witnesses 2\n`],
    ["two numbers of witnesses", `${keys}witnesses 1\nwitnesses 0\n`],
    ["a number of witnesses with a leading zero", `${keys}witnesses 01\n`],
  ])("are rejected with %s", (_what, text) => {
    expect(() => parsePolicy(text)).toThrow(/the keys/);
  });

  it("aren't taken from a log that asks for more witnesses than it names", async () => {
    const lines = [...POLICY.logKeys, ...POLICY.witnessKeys].map(formatVerifierKey);
    const served = (more: string) => ({ read: async () => utf8([...lines, more].join("\n")) });
    expect((await readServedKeys(served("witnesses 1"))).witnessesNeeded).toBe(1);
    await expect(readServedKeys(served("witnesses 2"))).rejects.toThrow(
      "the log's keys need more witnesses than they name",
    );
  });
});
