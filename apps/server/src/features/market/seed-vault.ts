import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { fromHex, type Sm1Regime, toHex } from "@fairtick/domain";
import * as v from "valibot";
import type { Sm1States } from "./sm1-epoch.ts";

/**
 * Seeds of epochs that are not revealed yet. Whoever holds one knows the simulated market's future, so they stay in a
 * folder of the market process's own and reach the tables with the reveal only.
 */
export interface SeedVault {
  /** A new seed, on the disk for good when the promise is kept: its commitment may be published after that. */
  create(epoch: bigint): Promise<Uint8Array>;
  /** Null where the folder was lost or is another machine's. */
  read(epoch: bigint): Uint8Array | null;
  /** Notes where an epoch starts from when that cannot be computed from the epochs before it. */
  keepStart(epoch: bigint, from: Sm1States): Promise<void>;
  readStart(epoch: bigint): Sm1States | null;
  /** After the reveal is committed. */
  forget(epoch: bigint): void;
}

const startSchema = v.record(
  v.string(),
  v.tuple([v.pipe(v.string(), v.regex(/^[0-9]{1,40}$/)), v.picklist([0, 1, 2])]),
);

/** Opens the vault in a folder that only this process's user may enter; makes it where it is missing. */
export function openSeedVault(folder: string): SeedVault {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const seedFile = (epoch: bigint) => join(folder, `epoch-${epoch}.seed`);
  const startFile = (epoch: bigint) => join(folder, `epoch-${epoch}.start`);

  return {
    async create(epoch) {
      const seed = randomBytes(32);
      await writeForGood(folder, seedFile(epoch), `${toHex(seed)}\n`);
      return seed;
    },
    read(epoch) {
      if (!existsSync(seedFile(epoch))) return null;
      const seed = fromHex(readFileSync(seedFile(epoch), "utf8").trim());
      return seed?.length === 32 ? seed : null;
    },
    async keepStart(epoch, from) {
      await writeForGood(folder, startFile(epoch), JSON.stringify(statesToJson(from)));
    },
    readStart(epoch) {
      if (!existsSync(startFile(epoch))) return null;
      return statesFromJson(JSON.parse(readFileSync(startFile(epoch), "utf8")));
    },
    forget(epoch) {
      rmSync(seedFile(epoch), { force: true });
      rmSync(startFile(epoch), { force: true });
    },
  };
}

/** `{symbol: [x, r]}`, x as text: it does not fit a JSON number everywhere. */
export function statesToJson(states: Sm1States): Record<string, readonly [string, Sm1Regime]> {
  return Object.fromEntries([...states].map(([symbol, { x, regime }]) => [symbol, [x.toString(), regime] as const]));
}

export function statesFromJson(json: unknown): Sm1States {
  const entries = Object.entries(v.parse(startSchema, json));
  return new Map(entries.map(([symbol, [x, regime]]) => [symbol, { x: BigInt(x), regime }]));
}

async function writeForGood(folder: string, path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
