import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Says whether a process with this id lives, whoever owns it. A zombie counts as gone. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return statOf(pid)?.state !== "Z";
}

/** Answers process id and start time, so that a reused id is not mistaken for the process that had it before. */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  const started = statOf(pid)?.startTime;
  return started === undefined ? `${pid}` : `${pid} ${started}`;
}

/**
 * Says whether a living process is the PostgreSQL server of the folder `data`. Its working folder tells, which is its data
 * folder; where the system has no /proc, its command line tells, which names it. False where neither can be read.
 */
export function isServerOf(data: string, pid: number): boolean {
  if (existsSync("/proc/self")) return workingFolderOf(pid) === data;
  const { stdout } = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return isServerCommand(data, stdout);
}

/** Says whether a command line, as `ps` shows it, is that of a server of the folder `data`. */
export function isServerCommand(data: string, command: string): boolean {
  return ` ${command} `.includes(` -D ${data} `);
}

function workingFolderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // Gone meanwhile, or another user's.
    return undefined;
  }
}

/** Waits until the process is gone; false when it still lives after `milliseconds`. */
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
    // The second field is the program's name in brackets and may itself hold blanks and brackets.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
