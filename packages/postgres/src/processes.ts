import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Returns whether a process with this id is running, whoever owns it. A zombie counts as not running. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return statOf(pid)?.state !== "Z";
}

/** Returns process id and start time, so that a reused id isn't mistaken for the process that had it before. */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  const started = statOf(pid)?.startTime;
  return started === undefined ? `${pid}` : `${pid} ${started}`;
}

/**
 * Returns whether a running process is the PostgreSQL server of the folder `data`. Its working folder shows it, which
 * is its data folder, or on systems without /proc its command line. False if neither can be read.
 */
export function isServerOf(data: string, pid: number): boolean {
  if (existsSync("/proc/self")) return workingFolderOf(pid) === data;
  const { stdout } = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return isServerCommand(data, stdout);
}

/** Returns whether a command line, as shown by `ps`, is that of a server of the folder `data`. */
export function isServerCommand(data: string, command: string): boolean {
  return ` ${command} `.includes(` -D ${data} `);
}

function workingFolderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has exited, or belongs to another user.
    return undefined;
  }
}

/** Waits until the process has exited. Returns false if it is still running after `milliseconds`. */
export async function waitForEnd(pid: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (isAlive(pid)) {
    if (performance.now() >= end) return false;
    await sleep(10);
  }
  return true;
}

function statOf(pid: number): { state: string; startTime: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, and may itself contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
