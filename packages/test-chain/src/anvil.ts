import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { findAnvil, TestChainProblem } from "./binary.ts";
import { callNode, callNodeForText } from "./node-call.ts";

export interface Anvil {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Settles when it ends that nobody stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface AnvilOptions {
  /** An address of the loopback; 127.0.0.1 unless told otherwise. */
  readonly host?: string;
  /** Where its state is kept; null keeps none. */
  readonly folder: string | null;
  /** 0 or none takes a free one. */
  readonly port?: number;
  /** 31337 unless told otherwise; another one for a second chain beside it. */
  readonly chainId?: number;
}

const START_MS_MAX = 10_000;
const STOP_MS_MAX = 1_500;
const STATE = "state.json";
const PID = "anvil.pid";
const LOOPBACK = "127.0.0.1";
const FOLDER_OPTION = "--cache-path";

/**
 * Starts anvil on the loopback address with what `saveState` kept in the folder. It mines nothing by itself (`mine`).
 * One that an earlier start left behind in the same folder is ended first.
 */
export async function startAnvil(wanted: AnvilOptions): Promise<Anvil> {
  const folder = wanted.folder === null ? null : ownFolder(wanted.folder);
  if (folder !== null) endLeftBehind(folder);
  const begun = folder === null ? null : firstBlockTime(join(folder, STATE));
  // A group of its own: a Ctrl-C in the terminal is for the start script, which ends it in order.
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
  // Its clock was put back with its first block.
  if (begun !== null) await callNode(url, "evm_setTime", [Math.floor(Date.now() / 1000)]);
  if (folder !== null) writeFileSync(join(folder, PID), `${child.pid ?? 0}\n`);
  const guard = guardAgainstOwnDeath(child.pid ?? 0);
  // Its number may be another program's soon.
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

/** Made where missing; the one path by which every start of it is known, wherever it was started from. */
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
  // Said in its command line, so that a later start knows it by its folder.
  if (folder !== null) options.push(FOLDER_OPTION, folder);
  // Without its time anvil makes another first block beside the kept one, and later answers with either.
  if (folder !== null && begun !== null)
    options.push("--load-state", join(folder, STATE), "--timestamp", String(begun));
  return options;
}

/** The port that the system gave it, by its own word: a port chosen beforehand could be another program's by now. */
function portOf(output: Readable): Promise<number> {
  return new Promise((done) => {
    // Read on to the end: it writes a line for each call, and would stand still at a full pipe.
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

/**
 * The process of an earlier start that was killed and could not end its chain. Its number may belong to another program by
 * now, and a copied folder names the chain of the folder it was copied from: only an anvil of this very folder is ended.
 */
function endLeftBehind(folder: string): void {
  const file = join(folder, PID);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8"));
  if (Number.isInteger(pid) && pid > 1 && isAnvilOf(folder, commandOf(pid))) process.kill(pid, "SIGKILL");
  rmSync(file, { force: true });
}

/** `command`: the arguments of a process, the program first. */
export function isAnvilOf(folder: string, command: readonly string[]): boolean {
  const place = command.indexOf(FOLDER_OPTION);
  return basename(command[0] ?? "") === "anvil" && place > 0 && command[place + 1] === folder;
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // Gone, or a system without /proc, whose `ps` cannot tell blanks in a path from those between arguments.
    const { stdout } = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return (stdout ?? "").trim().split(" ");
  }
}
