import { readdirSync, readFileSync } from "node:fs";

/** Linux reports a process's time in /proc in hundredths of a second. */
const MICROSECONDS_PER_TICK = 10_000;

/** Returns the processor time in µs used by PostgreSQL's processes: the running ones and those it has reaped. */
export function postgresCpuUs(postmaster: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat === undefined) continue;
    if (Number(name) === postmaster) ticks += stat.own + stat.reaped;
    else if (stat.parent === postmaster) ticks += stat.own;
  }
  return ticks * MICROSECONDS_PER_TICK;
}

/** Returns the processor time in µs of all threads of this process. */
export function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Returns the processor time in µs of another process. */
export function processCpuUs(pid: number): number {
  return (statOf(String(pid))?.own ?? 0) * MICROSECONDS_PER_TICK;
}

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

function statOf(pid: string): { parent: number; own: number; reaped: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // The process has already exited.
    return undefined;
  }
  // The name in parentheses may contain spaces, so count the fields after it, of which the state is the third of
  // proc(5).
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return { parent: field(4), own: field(14) + field(15), reaped: field(16) + field(17) };
}
