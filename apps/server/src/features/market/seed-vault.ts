import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { link as hardLink, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromHex, type Sm1Regime, toHex } from "@fairtick/domain";
import * as v from "valibot";
import type { Sm1States } from "./sm1-epoch.ts";

/**
 * Stores the seeds of epochs that are not revealed yet. Anyone who has a seed knows the simulated market's future, so seeds
 * stay in a folder of the market process and reach the tables only with the reveal.
 */
export interface SeedVault {
  /**
   * Creates an epoch's seed. Once this resolves, the seed is synced to the disk and its commitment may be published. If the
   * epoch already has a seed (from before a crash, or from a writer that took over), returns that one.
   */
  create(epoch: bigint): Promise<Uint8Array>;
  /** Reads a seed. Null if the folder was lost or is another machine's. */
  read(epoch: bigint): Uint8Array | null;
  /** Stores an epoch's starting state if it can't be computed from the epochs before. */
  keepStart(epoch: bigint, from: Sm1States): Promise<void>;
  readStart(epoch: bigint): Sm1States | null;
  /** Removes a seed. Only after its reveal is committed. */
  forget(epoch: bigint): void;
}

const startSchema = v.record(
  v.string(),
  v.tuple([v.pipe(v.string(), v.regex(/^[0-9]{1,40}$/)), v.picklist([0, 1, 2])]),
);

/** Opens the vault in a folder that only this process's user may enter, or creates it. */
export function openSeedVault(folder: string): SeedVault {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const seedFile = (epoch: bigint) => join(folder, `epoch-${epoch}.seed`);
  const startFile = (epoch: bigint) => join(folder, `epoch-${epoch}.start`);

  function readSeed(epoch: bigint): Uint8Array | null {
    if (!existsSync(seedFile(epoch))) return null;
    const seed = fromHex(readFileSync(seedFile(epoch), "utf8").trim());
    return seed?.length === 32 ? seed : null;
  }

  return {
    async create(epoch) {
      await writeForGood(folder, seedFile(epoch), `${toHex(randomBytes(32))}\n`, link);
      const seed = readSeed(epoch);
      if (seed === null) throw new Error(`the seed of epoch ${epoch} cannot be read`);
      return seed;
    },
    read: readSeed,
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

/** Converts states to `{symbol: [x, r]}`. x is text because not every JSON reader can hold it as a number. */
export function statesToJson(states: Sm1States): Record<string, readonly [string, Sm1Regime]> {
  return Object.fromEntries([...states].map(([symbol, { x, regime }]) => [symbol, [x.toString(), regime] as const]));
}

export function statesFromJson(json: unknown): Sm1States {
  const entries = Object.entries(v.parse(startSchema, json));
  return new Map(entries.map(([symbol, [x, regime]]) => [symbol, { x: BigInt(x), regime }]));
}

type Place = (draft: string, path: string) => Promise<void>;

/** Moves a draft to its place unless something is already there. */
const link: Place = async (draft, path) => {
  try {
    await hardLink(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
};

async function writeForGood(folder: string, path: string, text: string, place: Place = rename): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
