import { spawn } from "node:child_process";
import { chownSync, closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { cleanEnvironment } from "./cluster.ts";
import { noSpace, type ServerFolder } from "./folder.ts";
import { codeOf, PostgresProblem } from "./problem.ts";
import { freePort } from "./free-port.ts";
import { isAlive, isServerOf, waitForEnd } from "./processes.ts";
import type { SystemUser } from "./system-user.ts";

/** How a server's process ended. */
export interface PostmasterEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Postmaster {
  readonly pid: number;
  readonly ended: Promise<PostmasterEnd>;
}

const LOG_BYTES_MAX = 20_000_000;
const LINGER_MS = 10_000;

/**
 * Stops a server that a killed process left behind, first with a fast shutdown, then by force. The server that runs
 * afterwards always has the settings of this version, and nobody else is connected to it.
 */
export async function stopOrphan(folder: ServerFolder, say: (sentence: string) => void): Promise<void> {
  const pid = Number(pidFile(folder)?.[0]);
  if (!isAlive(pid)) return;
  if (!isServerOf(folder.data, pid)) {
    disown(folder, pid);
    return;
  }
  say(`A PostgreSQL left over from a start that was killed (process ${pid}) is stopped first.`);
  await stopProcess(pid);
}

/**
 * Writes this process's id into a stale pid file whose id another program now has, since PostgreSQL would refuse to
 * start because of it. The id of the process that starts the server counts as stale. The file stays, because its other
 * lines name shared memory that may still exist.
 */
function disown(folder: ServerFolder, stranger: number): void {
  const file = pidFileOf(folder);
  writeFileSync(file, readFileSync(file, "utf8").replace(String(stranger), String(process.pid)));
}

/** Stops a server with a fast shutdown: running transactions roll back, and committed ones are kept. */
export async function stopProcess(pid: number, patienceMs = 30_000): Promise<void> {
  signal(pid, "SIGINT");
  if (await waitForEnd(pid, patienceMs)) return;
  signal(pid, "SIGQUIT");
  if (await waitForEnd(pid, 10_000)) return;
  signal(pid, "SIGKILL");
  await waitForEnd(pid, 10_000);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/**
 * Starts the server and waits until it answers. It tries again while a predecessor that is ending still holds its
 * memory (up to two seconds after its process is gone), and with another port if the free one was taken in the
 * meantime.
 */
export async function startPostmaster(
  folder: ServerFolder,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
  user: SystemUser | undefined,
  wantedPort: number | undefined,
): Promise<Postmaster & { port: number }> {
  const end = performance.now() + LINGER_MS;
  for (;;) {
    const port = wantedPort ?? (await freePort());
    const attempt = await startOnce(folder, binaries, { ...settings, port: String(port) }, user);
    if (attempt.ok) return { ...attempt.postmaster, port };
    const problem = explain(folder, attempt.output, port, wantedPort !== undefined);
    if (!problem.again || performance.now() > end) throw problem.error;
    await sleep(200);
  }
}

type Attempt = { ok: true; postmaster: Postmaster } | { ok: false; output: string };

async function startOnce(
  folder: ServerFolder,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
  user: SystemUser | undefined,
): Promise<Attempt> {
  const truncate = existsSync(folder.log) && statSync(folder.log).size > LOG_BYTES_MAX;
  const log = openSync(folder.log, truncate ? "w" : "a", 0o600);
  if (user) chownSync(folder.log, user.uid, user.gid);
  const logStart = statSync(folder.log).size;
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // The server logs to a file and has a process group of its own, so that Ctrl-C in the terminal only reaches Node,
  // which stops the server once nothing else needs it.
  const child = spawn(binaries.postgres, ["-D", folder.data, ...options], {
    ...user,
    cwd: folder.path,
    env: cleanEnvironment(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const state: { end?: PostmasterEnd; failure?: Error } = {};
  const ended = new Promise<PostmasterEnd>((resolve) => {
    const finish = (code: number | null, signalName: NodeJS.Signals | null) => {
      state.end = { code, signal: signalName };
      resolve(state.end);
    };
    child.on("exit", finish);
    child.on("error", (error) => {
      state.failure = error;
      finish(null, null);
    });
  });
  while (state.end === undefined) {
    const lines = pidFile(folder);
    if (Number(lines?.[0]) === child.pid && lines?.[7]?.trim() === "ready" && child.pid !== undefined) {
      return { ok: true, postmaster: { pid: child.pid, ended } };
    }
    await sleep(5);
  }
  const written = readFileSync(folder.log).subarray(logStart).toString("utf8");
  return { ok: false, output: state.failure?.message ?? written };
}

/** Reads the lines of postmaster.pid: process, data folder, start, port, socket folder, address, memory key, status. */
export function pidFile(folder: ServerFolder): string[] | undefined {
  try {
    return readFileSync(pidFileOf(folder), "utf8").split("\n");
  } catch {
    return undefined;
  }
}

function pidFileOf(folder: ServerFolder): string {
  return join(folder.data, "postmaster.pid");
}

function explain(
  folder: ServerFolder,
  output: string,
  port: number,
  portWanted: boolean,
): { error: PostgresProblem; again: boolean } {
  const says = (text: string) => output.includes(text);
  if (says("No space left on device")) {
    return { error: noSpace(folder.path), again: false };
  }
  if (says("Address already in use")) {
    const error = new PostgresProblem(
      `Port ${port} on this machine is in use by another program, so PostgreSQL cannot have it. ` +
        `Stop that program, or leave DATABASE_PORT unset to have a free port chosen.`,
    );
    return { error, again: !portWanted };
  }
  if (says("pre-existing shared memory block") || says('lock file "postmaster.pid" already exists')) {
    const error = new PostgresProblem(
      `Another PostgreSQL still works in ${folder.data} and did not end. Stop it (its process id is the first line ` +
        `of postmaster.pid there) and start again.`,
    );
    return { error, again: true };
  }
  if (says("could not resize shared memory segment") || says("could not map anonymous shared memory")) {
    const error = new PostgresProblem(
      `There is too little memory (or shared memory, in a container: --shm-size) for PostgreSQL. Give the machine ` +
        `at least 1 GB, or set DATABASE_URL to a PostgreSQL elsewhere.`,
    );
    return { error, again: false };
  }
  const last = output.trim().split("\n").slice(-4).join(" ");
  return { error: new PostgresProblem(`PostgreSQL did not start: ${last} (more in ${folder.log})`), again: false };
}
