import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { isAnvilOf } from "./anvil.ts";
import { callNode, callNodeForText } from "./node-call.ts";
import { depositXpub } from "./deposit-seed.ts";
import { startTestChain, type TestChain } from "./start-test-chain.ts";
import { mintTo } from "./tokens.ts";

const OWNER = "0x00000000000000000000000000000000000000aa";

let folder: string;
const running: TestChain[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chain-"));
});
afterEach(async () => {
  for (const chain of running.splice(0)) await chain.stop();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<TestChain> {
  const chain = await startTestChain({ folder, blockMs: 100, onError: () => undefined });
  running.push(chain);
  return chain;
}

async function genesisOf({ url }: TestChain): Promise<unknown> {
  return ((await callNode(url, "eth_getBlockByNumber", ["0x0", false])) as { hash: string }).hash;
}

async function balanceOf({ url }: TestChain, token: string): Promise<bigint> {
  // balanceOf(address)
  const data = `0x70a08231${OWNER.slice(2).padStart(64, "0")}`;
  return BigInt(await callNodeForText(url, "eth_call", [{ to: token, data }, "latest"]));
}

/** Returns whether a process is running. One that has exited but wasn't waited for counts as exited. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

describe("the test chain", () => {
  it("answers programs on this machine, but no web pages", async () => {
    const { url } = await start();
    const call = (headers: Record<string, string>) =>
      new Promise<{ readonly status: number; readonly cors: string | undefined }>((resolve, reject) => {
        const asked = request(
          url,
          { method: "POST", headers: { "content-type": "text/plain", ...headers } },
          (answer) => {
            answer.resume();
            resolve({ status: answer.statusCode ?? 0, cors: answer.headers["access-control-allow-origin"] });
          },
        );
        asked.on("error", reject);
        asked.end('{"jsonrpc":"2.0","id":1,"method":"eth_accounts","params":[]}');
      });
    expect(await call({})).toEqual({ status: 200, cors: undefined });
    expect(await call({ origin: "https://evil.example" })).toEqual({ status: 403, cors: undefined });
    expect(await call({ "sec-fetch-site": "cross-site" })).toEqual({ status: 403, cors: undefined });
    expect(await call({ host: "rebound.example" })).toEqual({ status: 421, cors: undefined });
  });

  it("has both tokens, mines what is sent, and continues where it was after a kill", async () => {
    const first = await start();
    const genesis = await genesisOf(first);
    for (const token of [first.tokens.noReturn, first.tokens.standard])
      await mintTo(first.url, token, OWNER, 7_000_000n);
    await expect.poll(() => balanceOf(first, first.tokens.standard)).toBe(7_000_000n);
    // Wait for one more block, so that the one with the money has been saved.
    const seen = BigInt(await callNodeForText(first.url, "eth_blockNumber"));
    await expect.poll(async () => BigInt(await callNodeForText(first.url, "eth_blockNumber"))).toBeGreaterThan(seen);
    process.kill(first.pid, "SIGKILL");
    await first.ended;
    const second = await start();
    expect(await genesisOf(second)).toBe(genesis);
    expect(await balanceOf(second, second.tokens.noReturn)).toBe(7_000_000n);
    expect(await balanceOf(second, second.tokens.standard)).toBe(7_000_000n);
  });

  it("has the same first block however often it is started, and the current time", async () => {
    const genesis: unknown[] = [];
    for (let starts = 0; starts < 5; starts += 1) {
      const chain = await start();
      genesis.push(await genesisOf(chain));
      await callNode(chain.url, "anvil_mine", ["0x1"]);
      const { timestamp } = (await callNode(chain.url, "eth_getBlockByNumber", ["latest", false])) as {
        timestamp: string;
      };
      expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(2);
      await chain.stop();
      // A first block created now would have a different time in seconds.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    expect(new Set(genesis).size).toBe(1);
  });

  it("ends with the process that started it, however that process ends", async () => {
    const module = new URL("index.ts", import.meta.url).href;
    const code = `import { startAnvil } from ${JSON.stringify(module)};
      const anvil = await startAnvil({ folder: null });
      process.stdout.write(String(anvil.pid));
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    const pid = Number(said.toString("utf8"));
    expect(isAlive(pid)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("ends the process that a killed start left behind in its folder", async () => {
    const left = await start();
    const next = await start();
    await left.ended;
    expect(next.pid).not.toBe(left.pid);
    expect(() => process.kill(left.pid, 0)).toThrow("ESRCH");
  });
});

describe("two chains on one machine", () => {
  it("run side by side, even if one's folder is a copy of the other's and its path a prefix", async () => {
    const place = mkdtempSync(join(tmpdir(), "chains-"));
    const begin = async (name: string) => {
      const chain = await startTestChain({ folder: join(place, name), blockMs: 100, onError: () => undefined });
      running.push(chain);
      return chain;
    };
    const first = await begin("data-long");
    cpSync(join(place, "data-long"), join(place, "data"), { recursive: true });
    const second = await begin("data");
    expect(isAlive(first.pid)).toBe(true);
    expect(second.url).not.toBe(first.url);
    expect(await genesisOf(second)).toBe(await genesisOf(first));
    await Promise.all(running.splice(0).map((chain) => chain.stop()));
    rmSync(place, { recursive: true });
  });

  it("recognises its own process by the whole path", () => {
    const command = ["/x/bin/anvil", "--port", "0", "--cache-path", "/srv/data/chain", ""];
    expect(isAnvilOf("/srv/data/chain", command)).toBe(true);
    expect(isAnvilOf("/srv/data", command)).toBe(false);
    expect(isAnvilOf("data/chain", command)).toBe(false);
    expect(isAnvilOf("/srv/data/chain", ["/usr/bin/vim", "--cache-path", "/srv/data/chain"])).toBe(false);
  });
});

describe("the sandbox's seed", () => {
  it("is created once, readable only by its owner, and reveals only the account's public key", () => {
    const signer = join(folder, "signer");
    const xpub = depositXpub(signer);
    expect(depositXpub(signer)).toBe(xpub);
    expect(xpub).toMatch(/^xpub/);
    expect(statSync(join(signer, "mnemonic")).mode & 0o777).toBe(0o600);
  });
});
