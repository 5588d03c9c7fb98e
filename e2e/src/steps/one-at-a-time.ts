import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while no other worker holds the same lock file. If a worker dies, its lock remains: the next one takes it
 * when it sees that the process is gone.
 */
export async function oneAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!taken(lock)) await sleep(100);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function taken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (holds(lock)) return false;
    rmSync(lock, { force: true });
    return false;
  }
}

function holds(lock: string): boolean {
  try {
    const holder = Number(readFileSync(lock, "utf8"));
    // The file exists, but its holder hasn't written its process id yet.
    if (holder === 0) return true;
    process.kill(holder, 0);
    return true;
  } catch {
    return false;
  }
}
