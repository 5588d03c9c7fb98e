import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Outage, startHouse, type Victim } from "./house.ts";
import { startLoad } from "./load.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface TortureOptions {
  /** How often the product's processes are killed; `databaseKills`: how often the database is. */
  readonly kills: number;
  readonly databaseKills: number;
  /** The same seed gives the same kills and pauses. */
  readonly seed: string;
  readonly say: (sentence: string) => void;
}

export interface TortureReport extends Verdict {
  readonly acknowledged: number;
  readonly refusals: ReadonlyMap<string, number>;
  readonly outages: readonly Outage[];
}

const CALLERS = 8;
/** Enough members that none reaches the limit on running orders. */
const MEMBERS = 96;
/** The longest time without a kill. */
const QUIET_MS_MAX = 2_500;

/** Kills and restarts parts of a running product at random moments while orders are placed; reports the result. */
export async function runTorture({ kills, databaseKills, seed, say }: TortureOptions): Promise<TortureReport> {
  const house = await startHouse(MEMBERS);
  try {
    const load = startLoad(house.base, house.tokens, CALLERS);
    const outages: Outage[] = [];
    for (const [round, victim] of planKills(kills, databaseKills, seed).entries()) {
      await sleep(pick(`${seed}/pause/${round}`, QUIET_MS_MAX));
      const outage = await house.kill(victim);
      outages.push(outage);
      say(
        `${round + 1}. ${victim} killed, ready after ${outage.to - outage.from} ms; ${load.acknowledged.size} orders acknowledged`,
      );
    }
    await sleep(QUIET_MS_MAX);
    await load.stop();
    const verdict = await judge(house, load, outages);
    return { ...verdict, acknowledged: load.acknowledged.size, refusals: load.refusals, outages };
  } finally {
    await house.stop();
  }
}

/** Spreads the database's kills evenly among the others, whose victims are drawn. */
function planKills(kills: number, databaseKills: number, seed: string): Victim[] {
  const processes: readonly Victim[] = ["server", "market", "server and market"];
  const all = kills + databaseKills;
  let ofDatabase = 0;
  return Array.from({ length: all }, (_, round) => {
    if (((round + 1) * databaseKills) / all >= ofDatabase + 1) {
      ofDatabase += 1;
      return "postgres";
    }
    return processes[pick(`${seed}/victim/${round}`, processes.length)] ?? "server";
  });
}

/** Returns a number below `end` that only depends on the text. */
function pick(text: string, end: number): number {
  return createHash("sha256").update(text).digest().readUInt32BE() % end;
}
