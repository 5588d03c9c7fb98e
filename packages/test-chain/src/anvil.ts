import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { findAnvil, TestChainProblem } from "./binary.ts";
import { callNode, callNodeForText } from "./node-call.ts";

export interface Anvil {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly pid: number;
  /** Settles when it ends that nobody stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface AnvilOptions {
  /** Where its state is kept; null keeps none. */
  readonly folder: string | null;
  /** 0 or none takes a free one. */
  readonly port?: number;
  /** 31337 unless told otherwise; another one for a second chain beside it. */
  readonly chainId?: number;
}

const START_MS_MAX = 10_000;
const STOP_MS_MAX = 3_000;
const STATE = "state.json";
const PID = "anvil.pid";

/**
 * Starts anvil on the loopback address with what `saveState` kept in the folder. It mines nothing by itself (`mine`).
 * One that an earlier start left behind in the same folder is ended first.
 */
export async function startAnvil({ folder, port = 0, chainId }: AnvilOptions): Promise<Anvil> {
  const own = port === 0 ? await freePort() : port;
  if (folder !== null) {
    mkdirSync(folder, { recursive: true });
    endLeftBehind(folder);
  }
  const state = folder === null ? null : join(folder, STATE);
  const options = ["--host", "127.0.0.1", "--port", String(own), "--no-mining", "--quiet"];
  if (chainId !== undefined) options.push("--chain-id", String(chainId));
  // Said in its command line, so that a later start knows it by its folder.
  if (folder !== null) options.push("--cache-path", folder);
  const begun = state === null ? null : firstBlockTime(state);
  // Without its time anvil makes another first block beside the kept one, and later answers with either.
  if (state !== null && begun !== null) options.push("--load-state", state, "--timestamp", String(begun));
  // A group of its own: a Ctrl-C in the terminal is for the start script, which ends it in order.
  const child = spawn(findAnvil(), options, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said = (said + text.toString("utf8")).slice(-2_000)));
  const gone = Promise.withResolvers<void>();
  child.once("exit", () => gone.resolve());
  child.once("error", (error) => {
    said += error.message;
    gone.resolve();
  });
  const url = `http://127.0.0.1:${own}`;
  if (!(await answers(url, child))) {
    child.kill("SIGKILL");
    throw new TestChainProblem(`The embedded test chain does not start. ${said.trim()}`);
  }
  // Its clock was put back with its first block.
  if (begun !== null) await callNode(url, "evm_setTime", [Math.floor(Date.now() / 1000)]);
  if (folder !== null) writeFileSync(join(folder, PID), `${child.pid ?? 0}\n`);
  const guard = guardAgainstOwnDeath(child.pid ?? 0);
  return {
    url,
    pid: child.pid ?? 0,
    ended: gone.promise,
    async stop() {
      guard.kill("SIGKILL");
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
      await gone.promise;
      clearTimeout(killed);
      if (folder !== null) rmSync(join(folder, PID), { force: true });
    },
  };
}

/** Keeps the chain as it stands: whole or not at all, so that a kill at any moment leaves a file that can be read. */
export async function saveState(url: string, folder: string): Promise<void> {
  const { gunzipSync } = await import("node:zlib");
  const dump = await callNodeForText(url, "anvil_dumpState");
  const partial = join(folder, `${STATE}.new`);
  writeFileSync(partial, gunzipSync(Buffer.from(dump.slice(2), "hex")), { flush: true });
  renameSync(partial, join(folder, STATE));
}

/** When the kept chain began, in seconds since 1970; null where none is kept. The oldest, where starts added further ones. */
function firstBlockTime(state: string): number | null {
  if (!existsSync(state)) return null;
  const kept = JSON.parse(readFileSync(state, "utf8")) as {
    readonly blocks: readonly { readonly header: { readonly number: string; readonly timestamp: string } }[];
  };
  const first = kept.blocks.filter(({ header }) => Number(header.number) === 0);
  return Math.min(...first.map(({ header }) => Number(header.timestamp)));
}

/** Adds blocks, the transactions that wait in the first of them. */
export async function mine(url: string, blocks = 1): Promise<void> {
  await callNode(url, "anvil_mine", [`0x${blocks.toString(16)}`]);
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + START_MS_MAX;
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    try {
      await callNode(url, "eth_chainId");
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return false;
}

/**
 * Ends anvil when this process dies without a word: the shell waits at a pipe that only this process holds open. Anvil
 * itself would go on for ever.
 */
function guardAgainstOwnDeath(pid: number): ChildProcess {
  const guard = spawn("sh", ["-c", 'read -r _; kill -9 "$0" 2>/dev/null', String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.on("error", () => undefined);
  guard.unref();
  return guard;
}

/** The process of an earlier start that was killed and could not end its chain. */
function endLeftBehind(folder: string): void {
  const file = join(folder, PID);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8"));
  if (Number.isInteger(pid) && pid > 1) {
    const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    // The number may belong to another program by now: only an anvil of this very folder is ended.
    if (stdout !== null && stdout.includes("anvil") && stdout.includes(folder)) process.kill(pid, "SIGKILL");
  }
  rmSync(file, { force: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new TestChainProblem("No free port for the test chain.");
  return address.port;
}
