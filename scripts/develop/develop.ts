import { join, relative, resolve } from "node:path";
import { migrate } from "@fairtick/postgres";
import type { Config } from "@fairtick/server";
import type { AppName } from "../build-app.ts";
import type { ProcessName } from "../family.ts";
import type { Following } from "../fork-part.ts";
import type { Keeping, KeptPart } from "../keep-running.ts";
import { chooseDevAddresses } from "./dev-addresses.ts";
import { followLoadedFiles } from "./loaded-files.ts";
import { openDevApps } from "./open-dev-apps.ts";
import { type Watch, watchSources } from "./watch-sources.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
/** Watched folders. The apps' own are watched by their dev servers. */
const WATCHED = ["apps/server", "apps/signer", "packages", "scripts"];
/** Files that `npm run dev` never runs. */
const NOT_RUN = /\.(test|stories)\.tsx?$|\.md$|~$|\.sw[px]$/;
const CATALOGUE = /^packages\/i18n\/catalogues\//;
const MIGRATION = /^apps\/server\/migrations\/[^/]+\.sql$/;
/** Code that runs in the start script itself. */
const OWN = /^(scripts|packages\/(postgres|test-chain))\//;

/** How `npm run dev` differs from `npm start`. */
export interface Development {
  readonly following: Following;
  openApps(keeping: Keeping): Promise<DevApps>;
  /** Starts to restart the parts affected by a changed source file. */
  watch(started: StartedParts): Watch;
}

export interface DevApps {
  readonly parts: ReadonlyMap<AppName, KeptPart>;
  /** Lines for the printed list. */
  readonly places: readonly (readonly [string, string])[];
}

export interface StartedParts {
  readonly apps: DevApps;
  readonly databaseUrl: string;
  readonly signer: KeptPart;
  readonly witness: KeptPart;
  readonly beacon: KeptPart;
  readonly family: { restart(name: ProcessName, why: string): void };
  readonly say: (sentence: string) => void;
}

/** Chooses addresses and prepares to track the files that processes load; `config` is the one for `npm start`. */
export async function prepareDevelopment(config: Config): Promise<Development> {
  const addresses = await chooseDevAddresses(config);
  const loaded = followLoadedFiles();
  const { member, backoffice } = addresses.apps;
  return {
    following: loaded.following,
    async openApps(keeping) {
      const parts = await openDevApps(addresses, keeping);
      return {
        parts,
        places: [
          ["Members' app (hot reload)", member.url],
          ["Operators' console (hot reload)", backoffice.url],
          ["Component gallery", `${member.url}/gallery`],
          ["Server behind them", `http://${addresses.serverHost}:${member.serverPort}`],
        ],
      };
    },
    watch: (started) =>
      watchSources(
        WATCHED.map((folder) => join(PROJECT, folder)),
        (paths) => {
          void follow(paths, started, (path) => loaded.partsWith(path));
        },
      ),
  };
}

/** Restarts each part that has loaded one of the files, and prints why. */
async function follow(
  paths: readonly string[],
  started: StartedParts,
  partsWith: (path: string) => readonly string[],
): Promise<void> {
  const reasons = new Map<string, string>();
  for (const path of paths) {
    const name = relative(PROJECT, path);
    if (NOT_RUN.test(name)) continue;
    if (MIGRATION.test(name)) {
      if (await applied(name, started)) for (const part of ["market", "server"]) reasons.set(part, name);
      continue;
    }
    // Catalogues are read as files and not imported.
    const concerned = CATALOGUE.test(name) ? ["server"] : partsWith(path);
    for (const part of concerned) reasons.set(part, name);
    if (OWN.test(name) && !name.endsWith(".json"))
      started.say(`${name} changed. If the start itself uses it: press Ctrl-C and run npm run dev again.`);
  }
  for (const [part, name] of reasons) restart(part, `${name} changed`, started);
}

function restart(part: string, why: string, { apps, family, signer, witness, beacon }: StartedParts): void {
  if (part === "server" || part === "market") family.restart(part, why);
  else if (part === "signer") signer.restart(why);
  else if (part === "witness") witness.restart(why);
  else if (part === "beacon") beacon.restart(why);
  else apps.parts.get(part as AppName)?.restart(why);
}

/** Applies new migrations; returns false and prints why if there were none or it failed. */
async function applied(name: string, { databaseUrl, say }: StartedParts): Promise<boolean> {
  try {
    const names = await migrate(databaseUrl, join(PROJECT, "apps/server/migrations"));
    if (names.length > 0) say(`Migrated: ${names.join(", ")}.`);
    else say(`${name} changed, but it has run already: write a new migration, or start with a new DATA_DIR.`);
    return names.length > 0;
  } catch (error) {
    say(`${name} could not be applied: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
