import type { ChildProcess, StdioOptions } from "node:child_process";
import { join, resolve } from "node:path";
import type { Config } from "@fairtick/server";
import { FamilyProblem, nodeAlone, whenKept } from "./family.ts";
import { forkPart } from "./fork-part.ts";
import { type Keeping, keepRunning, type KeptPart, NOT_OURS, runOf } from "./keep-running.ts";

const PROGRAM = resolve(import.meta.dirname, "../apps/server/src/roles/beacon.ts");
const STOP_MS_MAX = 1_500;

export interface StartedBeacon {
  /** Environment for the family's processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its address for the printed list; null if nothing here needs a beacon. */
  readonly where: string | null;
  readonly part: KeptPart;
}

/**
 * Opens the randomness beacon of simulated prices, unless BEACON_URL names one. A beacon on the house's own machine
 * only shows how beacons work. Only a beacon run by others guarantees that nobody knows prices in advance.
 */
export async function openBeacon(config: Config, keeping: Keeping): Promise<StartedBeacon> {
  if (config.beacon !== null) return { environment: {}, where: config.beacon.url, part: NOT_OURS };
  if (config.deployment === "live" || !config.roles.has("market")) {
    return { environment: {}, where: null, part: NOT_OURS };
  }
  return startBeacon(join(config.dataDir, "beacon"), keeping);
}

/**
 * Starts a beacon in its own process, with its key in `folder`, for the market that needs it. Rejects with
 * `FamilyProblem` if it doesn't start.
 */
export async function startBeacon(folder: string, { ending, say, following }: Keeping): Promise<StartedBeacon> {
  const begin = (port: string) => {
    const stdio = ["ignore", "ignore", "inherit", "ipc"] satisfies StdioOptions;
    const options = { env: nodeAlone(), stdio, detached: true };
    const child = forkPart("beacon", PROGRAM, ["--folder", folder, "--port", port], options, following);
    const told = toldBy(child);
    return { told, run: runOf(child, whenKept(told), STOP_MS_MAX) };
  };
  const first = begin("0");
  const told = await Promise.race([first.told, first.run.ended]);
  if (typeof told === "string") {
    throw new FamilyProblem(`The beacon in ${folder} could not start. What it said is above.`);
  }
  const part = keepRunning({
    name: "The beacon",
    first: first.run,
    // Listen at the address that the market knows.
    begin: async (ended) => {
      await ended;
      return begin(new URL(told.url).port).run;
    },
    ending,
    say,
    waitsForChange: following !== undefined,
  });
  return {
    environment: { EMBEDDED_BEACON: JSON.stringify(told) },
    where: `${told.url}, its key in ${folder}`,
    part,
  };
}

interface Told {
  readonly url: string;
  readonly key: string;
  readonly genesis: number;
  readonly period: number;
}

/** Waits for the message with the beacon's address and its chain. */
function toldBy(child: ChildProcess): Promise<Told> {
  return new Promise((done) => {
    child.on("message", (message: object) => {
      if ("genesis" in message) done(message as Told);
    });
  });
}
