import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Outcome, Size } from "./attack.ts";
import type { IdleOrder, IdleReport } from "./idle-child.ts";
import { inLanes } from "./lanes.ts";
import { callerFrom } from "./request.ts";
import { quantile } from "./statistics.ts";
import type { World } from "./world.ts";

/** Opens silent sockets while a healthy client needs answers. */
export const idleSockets: Attack = { name: "idle sockets", run };

const INTRUDERS = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
/** Differs from the intruders' addresses, because sockets are limited per address. */
const HEALTHY = "127.0.0.4";
/** Node raises a process's limit of open files to the hard limit (`ulimit -Hn`), which is rarely below this. */
const PER_PROCESS = 10_000;

/** Processes that hold idle sockets. */
export interface Idlers {
  /** Opens them; returns how many of them the server keeps. */
  open(): Promise<number>;
  close(): Promise<void>;
  /** Ends the processes. */
  stop(): void;
}

/** Starts processes for the sockets, so that their file descriptors and time aren't this process's. */
export function startIdlers(port: number, sockets: number, addresses: readonly string[] = INTRUDERS): Idlers {
  const count = Math.ceil(sockets / PER_PROCESS);
  const children = Array.from({ length: count }, () => fork(join(import.meta.dirname, "idle-child.ts")));
  const askAll = async (kind: IdleOrder["kind"]) => {
    const order = { kind, port, sockets: Math.ceil(sockets / count), addresses };
    const reports = await Promise.all(children.map((child) => ask(child, order)));
    return reports.reduce((sum, { held }) => sum + held, 0);
  };
  return {
    open: () => askAll("open"),
    async close() {
      await askAll("close");
    },
    stop() {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

async function ask(child: ChildProcess, order: IdleOrder): Promise<IdleReport> {
  const answered = once(child, "message");
  child.send(order);
  const [report] = (await answered) as [IdleReport];
  return report;
}

const LANES = 2;
const PACE_MS = 15;

/** Requests the instruments on a new connection each time; returns how long each request took, in ms. */
export async function askHealthy(url: string, requests: number): Promise<number[]> {
  const places = Array.from({ length: requests }, (_, place) => place);
  return inLanes(places, LANES, async () => {
    const caller = callerFrom(HEALTHY, url);
    const { status, ms } = await caller.send("/client/market/instruments");
    caller.close();
    if (status !== 200) throw new Error(`a healthy request is answered ${status}`);
    await sleep(PACE_MS);
    return ms;
  });
}

/** Added to the factor of 1.5, because other work on the machine can change a few milliseconds by this much. */
const NOISE_MS = 100;
const SLOWER_MAX = 1.5;
const REQUESTS = 200;

async function run(world: World, { idleSockets: sockets }: Size): Promise<Outcome> {
  const idlers = startIdlers(Number(new URL(world.url).port), sockets);
  try {
    const before = await askHealthy(world.url, REQUESTS);
    const held = await idlers.open();
    const during = await askHealthy(world.url, REQUESTS);
    const [without, beside] = [quantile(before, 0.99), quantile(during, 0.99)];
    const tried = `${held} of ${sockets} held; healthy p99 ${beside.toFixed(1)} ms, ${without.toFixed(1)} ms without`;
    return { tried, faults: judgeIdle(without, beside) };
  } finally {
    idlers.stop();
  }
}

/** Compares the times with and without idle sockets, both in ms. */
export function judgeIdle(without: number, beside: number): string[] {
  return beside <= without * SLOWER_MAX + NOISE_MS
    ? []
    : [`the healthy wait ${beside.toFixed(1)} ms instead of ${without.toFixed(1)}`];
}
