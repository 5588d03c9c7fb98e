import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { findAnvil, TestChainProblem } from "./binary.ts";
import { callNode, callNodeForText } from "./node-call.ts";

export interface Anvil {
  /** Such as `http://127.0.0.1:port`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Settles when it ends without having been stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface AnvilOptions {
  /** A loopback address; by default 127.0.0.1. */
  readonly host?: string;
  /** Folder in which its state is kept; null keeps none. */
  readonly folder: string | null;
  /** By default, or if 0, a free port. */
  readonly port?: number;
  /** By default 31337; a second chain beside it needs another one. */
  readonly chainId?: number;
}

/** An anvil that fails ends by itself. On a busy machine, one that works may need more than ten seconds. */
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 1_500;
const STATE = "state.json";
const PID = "anvil.pid";
const LOOPBACK = "127.0.0.1";
const FOLDER_OPTION = "--cache-path";

/**
 * Starts anvil on the loopback address with the state that `saveState` stored in the folder. It mines no blocks
 * automatically (`mine`). An anvil that an earlier start left behind in the same folder is ended first.
 */
export async function startAnvil(wanted: AnvilOptions): Promise<Anvil> {
  const folder = wanted.folder === null ? null : ownFolder(wanted.folder);
  if (folder !== null) endLeftBehind(folder);
  const begun = folder === null ? null : firstBlockTime(join(folder, STATE));
  // It gets a process group of its own, because Ctrl-C in the terminal is handled by the start script, which ends it in
  // order.
  const child = spawn(findAnvil(), optionsOf(wanted, folder, begun), {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said = (said + text.toString("utf8")).slice(-2_000)));
  const gone = Promise.withResolvers<void>();
  child.once("exit", () => gone.resolve());
  child.once("error", (error) => {
    said += error.message;
    gone.resolve();
  });
  const port = await Promise.race([portOf(child.stdout), gone.promise.then(() => null), startTimeout()]);
  const url = `http://${wanted.host ?? LOOPBACK}:${port ?? 0}`;
  if (port === null || !(await answers(url, child))) {
    child.kill("SIGKILL");
    throw new TestChainProblem(`The embedded test chain does not start. ${said.trim()}`);
  }
  // Its clock was set back together with its first block.
  if (begun !== null) await callNode(url, "evm_setTime", [Math.floor(Date.now() / 1000)]);
  if (folder !== null) writeFileSync(join(folder, PID), `${child.pid ?? 0}\n`);
  const guard = guardAgainstOwnDeath(child.pid ?? 0);
  // Its process id may soon belong to another program.
  void gone.promise.then(() => guard.kill("SIGKILL"));
  return {
    url,
    port,
    pid: child.pid ?? 0,
    ended: gone.promise,
    async stop() {
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
      await gone.promise;
      clearTimeout(killed);
      if (folder !== null) rmSync(join(folder, PID), { force: true });
    },
  };
}

/**
 * Creates the folder if it is missing. Returns its real path, by which every start knows it wherever it was started.
 */
function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return realpathSync(resolve(path));
}

function optionsOf(
  { host = LOOPBACK, port = 0, chainId }: AnvilOptions,
  folder: string | null,
  begun: number | null,
): string[] {
  const options = ["--host", host, "--port", String(port), "--no-mining", "--no-cors"];
  if (chainId !== undefined) options.push("--chain-id", String(chainId));
  // The folder is part of the command line, so that a later start can recognise the process.
  if (folder !== null) options.push(FOLDER_OPTION, folder);
  // Without the time, anvil creates another first block beside the stored one, and later answers with either.
  if (folder !== null && begun !== null)
    options.push("--load-state", join(folder, STATE), "--timestamp", String(begun));
  return options;
}

/** Returns the port that the system assigned, as printed by anvil. A port chosen beforehand could be taken by now. */
function portOf(output: Readable): Promise<number> {
  return new Promise((done) => {
    // Reads to the end, because anvil writes a line for each call and would block on a full pipe.
    createInterface(output).on("line", (line) => {
      const port = /^Listening on \S+:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) done(Number(port));
    });
  });
}

function startTimeout(): Promise<null> {
  return new Promise((done) => {
    setTimeout(() => done(null), START_MS_MAX).unref();
  });
}

/** Saves the chain's state. The file is replaced as a whole, so that it is readable even after a kill at any moment. */
export async function saveState(url: string, folder: string): Promise<void> {
  const { gunzipSync } = await import("node:zlib");
  const dump = await callNodeForText(url, "anvil_dumpState");
  const partial = join(folder, `${STATE}.new`);
  writeFileSync(partial, gunzipSync(Buffer.from(dump.slice(2), "hex")), { flush: true });
  renameSync(partial, join(folder, STATE));
}

/**
 * Returns when the stored chain began, in seconds since 1970; null if none is stored. The oldest, if starts added
 * further ones.
 */
function firstBlockTime(state: string): number | null {
  if (!existsSync(state)) return null;
  const kept = JSON.parse(readFileSync(state, "utf8")) as {
    readonly blocks: readonly { readonly header: { readonly number: string; readonly timestamp: string } }[];
  };
  const first = kept.blocks.filter(({ header }) => Number(header.number) === 0);
  return Math.min(...first.map(({ header }) => Number(header.timestamp)));
}

/** Mines blocks. Waiting transactions go into the first one. */
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
 * Ends anvil if this process dies without ending it: a shell waits on a pipe that only this process holds open. Anvil
 * itself would run forever.
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

/**
 * Ends the process of an earlier start that was killed before it could end its chain. Its process id may now belong to
 * another program, and a copied folder names the chain of the original folder, so only an anvil of this folder is
 * ended.
 */
function endLeftBehind(folder: string): void {
  const file = join(folder, PID);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8"));
  if (Number.isInteger(pid) && pid > 1 && isAnvilOf(folder, commandOf(pid))) process.kill(pid, "SIGKILL");
  rmSync(file, { force: true });
}

/** Returns whether a process is an anvil of the folder. `command` is its arguments, with the program first. */
export function isAnvilOf(folder: string, command: readonly string[]): boolean {
  const place = command.indexOf(FOLDER_OPTION);
  return basename(command[0] ?? "") === "anvil" && place > 0 && command[place + 1] === folder;
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // The process has exited, or the system has no /proc. `ps` can't tell spaces in a path from those between
    // arguments.
    const { stdout } = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return (stdout ?? "").trim().split(" ");
  }
}
