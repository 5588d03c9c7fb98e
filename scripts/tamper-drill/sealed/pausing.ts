import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { SealedHouse } from "./house.ts";
import type { Begin } from "./round.ts";
import { dropIncidents } from "./settling.ts";

const BEFORE_MS = 3_000;
/** Five seconds until the house stops accepting orders, and a few seconds of refusals. */
const STOPPED_MS = 11_500;

/** Stops the house's own witness, so that no orders are accepted for a while, and keeps the incident out of the log. */
export const stopWitness: Begin = async (house) => {
  const giveBack = await dropIncidents(house);
  const pid = witnessOf(house);
  const stopping = (async () => {
    await sleep(BEFORE_MS);
    process.kill(pid, "SIGSTOP");
    await sleep(STOPPED_MS);
    process.kill(pid, "SIGCONT");
  })();
  return async () => {
    await stopping;
    await giveBack();
  };
};

/** Returns the process that runs with this house's own witness folder. */
function witnessOf({ product }: SealedHouse): number {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    let command: string;
    try {
      command = readFileSync(`/proc/${name}/cmdline`, "utf8");
    } catch {
      continue;
    }
    if (command.includes("\0witness\0") && command.includes(`${product.dataDir}/witness`)) return Number(name);
  }
  throw new Error("the house runs no witness");
}
