import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { link as hardLink, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromHex, type Sm1Regime, toHex } from "@fairtick/domain";
import * as v from "valibot";
import type { Sm1States } from "./sm1-epoch.ts";

/**
 * Seeds of epochs that are not revealed yet. Whoever holds one knows the simulated market's future, so they stay in a
 * folder of the market process's own and reach the tables with the reveal only.
 */
export interface SeedVault {
  /**
   * The epoch's seed, on the disk for good when the promise is kept: its commitment may be published after that. One that
   * is there already stays, be it that a crash left it or that a writer who took over has committed it.
   */
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

/** `{symbol: [x, r]}`, x as text: it does not fit a JSON number everywhere. */
export function statesToJson(states: Sm1States): Record<string, readonly [string, Sm1Regime]> {
  return Object.fromEntries([...states].map(([symbol, { x, regime }]) => [symbol, [x.toString(), regime] as const]));
}

export function statesFromJson(json: unknown): Sm1States {
  const entries = Object.entries(v.parse(startSchema, json));
  return new Map(entries.map(([symbol, [x, regime]]) => [symbol, { x: BigInt(x), regime }]));
}

type Place = (draft: string, path: string) => Promise<void>;

/** Puts the draft in its place unless something stands there. */
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
