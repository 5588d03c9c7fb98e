import { parseArgs } from "node:util";
import { noSpace, PostgresProblem } from "@fairtick/postgres";
import { ConfigError, readConfig, refuseSandboxPartsInLive, type Config } from "@fairtick/server";
import { TestChainProblem } from "@fairtick/test-chain";
import { isNoSpace, refuseFullDisk, refuseTakenPort, takeFolder } from "./before-start.ts";
import { openBeacon, type StartedBeacon } from "./beacon.ts";
import { openChain, type StartedChain } from "./chain.ts";
import {
  type Family,
  FamilyProblem,
  forkRoles,
  type Member,
  type ProcessName,
  startFamily,
  stopMembers,
} from "./family.ts";
import { BuildProblem, buildStaleApps } from "./build-app.ts";
import { openDatabase, type StartedDatabase } from "./database.ts";
import { prepareDevelopment } from "./develop/develop.ts";
import type { Watch } from "./develop/watch-sources.ts";
import type { Keeping, KeptPart } from "./keep-running.ts";
import { openSigner, type StartedSigner } from "./signer.ts";
import { packStaleVerifier } from "./pack-verifier.ts";
import { printStarted } from "./print-started.ts";
import { openWaitingList, type WaitingList } from "./say-waiting.ts";
import { openWitness, type StartedWitness } from "./witness.ts";

const { values: options } = parseArgs({
  // With --develop, the apps are served from their sources and each part is restarted when one of its files changes.
  options: { roles: { type: "string" }, develop: { type: "boolean", default: false } },
});
// The forked processes read the environment.
if (options.roles !== undefined) process.env["ROLES"] = options.roles;

/** The start was asked to stop: it ends cleanly, whatever point it has reached. */
class StopAsked extends Error {}

const stopAsked = Promise.withResolvers<never>();
stopAsked.promise.catch(() => undefined);
/** Aborted before anything else is stopped: nothing that ends after that is restarted. */
const ending = new AbortController();
const say = (sentence: string) => {
  console.log(sentence);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    stopAsked.reject(new StopAsked());
  });
}
// The launcher was killed, so its signals can no longer arrive.
process.on("disconnect", () => {
  stopAsked.reject(new StopAsked());
});

process.exitCode = await main();
// An open channel to the launcher would keep this process alive.
if (process.connected) process.disconnect();

async function main(): Promise<number> {
  const begun = performance.now();
  const parts: Parts = {};
  try {
    const kept = await startAll(parts, begun);
    console.error(await Promise.race([...kept.map(({ broken }) => broken), stopAsked.promise]));
    return 1;
  } catch (error) {
    if (error instanceof StopAsked) {
      console.log("Stopping.");
      return 0;
    }
    console.error(messageOf(error));
    return 1;
  } finally {
    ending.abort();
    await closeAll(parts);
  }
}

/** Starts everything and prints where it runs. Returns the parts that are kept running. */
async function startAll(parts: Parts, begun: number): Promise<readonly { readonly broken: Promise<string> }[]> {
  const development = options.develop ? await prepareDevelopment(settings()) : null;
  const config = settings();
  const keeping: Keeping = { ending: ending.signal, say, ...(development && { following: development.following }) };
  await refuseTakenPort(config.host, config.port, "PORT");
  if (config.roles.has("console")) await refuseTakenPort(config.host, config.consolePort, "CONSOLE_PORT");
  refuseFullDisk(config.dataDir);
  parts.giveUpFolder = takeFolder(config.dataDir);
  parts.roles = forkRoles(processesOf(config), development?.following);
  const waiting = (parts.waiting = openWaitingList(say));
  const [database, { chain, signer }, witness, beacon, apps] = await openParts(
    { config, parts, keeping, development },
    waiting,
  );
  const environment = {
    DATABASE_URL: database.url,
    ...chain.environment,
    ...witness.environment,
    ...beacon.environment,
    ...signer.environment,
  };
  const family = (parts.family = startFamily({ roles: parts.roles, environment, ...keeping }));
  const started = waiting.add("market and server", family.started);
  // If the start is stopped first, nobody waits for this promise any more.
  started.catch(() => undefined);
  const answers = await Promise.race([started, stopAsked.promise]).finally(() => waiting.close());
  printStarted({
    config,
    database: database.where,
    chain: chain.where,
    witness: witness.where,
    beacon: beacon.where,
    signer,
    builtApps: apps.built,
    apps: apps.dev?.places ?? [["Open", config.publicUrl]],
    seconds: (performance.now() - begun) / 1000,
    pids: family.pids(),
    answers,
  });
  if (development !== null && apps.dev !== null) {
    parts.watch = development.watch({
      apps: apps.dev,
      databaseUrl: database.url,
      signer: signer.part,
      witness: witness.part,
      beacon: beacon.part,
      family,
      say,
    });
  }
  return [family, database.part, witness.part, beacon.part, chain.part, signer.part];
}

interface Opening {
  readonly config: Config;
  readonly parts: Parts;
  readonly keeping: Keeping;
  readonly development: Development | null;
}

/** Opens everything that the house's processes need, at the same time. */
function openParts({ config, parts, keeping, development }: Opening, waiting: WaitingList) {
  return openAll([
    waiting.add(
      "the database",
      openDatabase(config, keeping).then((opened) => (parts.database = opened)),
    ),
    waiting.add("the test chain and the signer", openPaying(config, parts, keeping)),
    waiting.add(
      "the witness",
      openWitness(config, keeping).then((opened) => (parts.witness = opened)),
    ),
    waiting.add(
      "the beacon",
      openBeacon(config, keeping).then((opened) => (parts.beacon = opened)),
    ),
    waiting.add(
      "the apps and the verifier, which are built if their sources changed",
      openApps(development, parts, keeping),
    ),
  ]);
}

async function closeAll(parts: Parts): Promise<void> {
  parts.watch?.close();
  parts.waiting?.close();
  const appsEnded = Promise.all((parts.apps ?? []).map((app) => app.stop()));
  await (parts.family?.stop() ?? stopMembers(parts.roles ?? []));
  const others = [parts.signer, parts.witness, parts.beacon, parts.chain];
  await Promise.all(others.map(async (opened) => opened?.part.stop()));
  await parts.database?.part.stop();
  await appsEnded;
  parts.giveUpFolder?.();
}

type Development = Awaited<ReturnType<typeof prepareDevelopment>>;

/** Builds stale apps, or serves them from their sources during development. */
async function openApps(development: Development | null, parts: Parts, keeping: Keeping) {
  if (development === null) {
    const [built] = await Promise.all([buildStaleApps(), packStaleVerifier()]);
    return { built, dev: null };
  }
  const dev = await development.openApps(keeping);
  parts.apps = [...dev.parts.values()];
  return { built: [], dev };
}

/** Everything that has to be closed at the end. A start that fails midway has only some of it. */
interface Parts {
  giveUpFolder?: () => void;
  roles?: Member[];
  family?: Family;
  database?: StartedDatabase;
  chain?: StartedChain;
  signer?: StartedSigner;
  witness?: StartedWitness;
  beacon?: StartedBeacon;
  /** The apps' dev servers. */
  apps?: readonly KeptPart[];
  watch?: Watch;
  waiting?: WaitingList;
}

/** Returns the processes for the chosen roles: the market has its own, all others share one. */
function processesOf({ roles }: Config): ProcessName[] {
  const names: ProcessName[] = [];
  if (roles.has("market")) names.push("market");
  if ([...roles].some((role) => role !== "market")) names.push("server");
  return names;
}

/** Opens the test chain and the signer that pays on it. */
async function openPaying(
  config: Config,
  parts: Parts,
  keeping: Keeping,
): Promise<{ chain: StartedChain; signer: StartedSigner }> {
  const chain = (parts.chain = await openChain(config, keeping));
  const signer = (parts.signer = await openSigner(config, chain.payable, keeping));
  return { chain, signer };
}

/** Works like `Promise.all` but waits until every promise has settled, so that everything opened can be closed. */
async function openAll<Values extends readonly unknown[]>(opening: {
  readonly [Place in keyof Values]: Promise<Values[Place]>;
}): Promise<Values> {
  await Promise.allSettled(opening);
  // If a stop was requested in the meantime, it caused the other failures, so throw that first.
  await Promise.race([stopAsked.promise, Promise.resolve()]);
  return Promise.all(opening);
}

/** Reads the settings from the environment. The database's address may be missing, since an embedded one exists. */
function settings(): Config {
  const embedded = "postgresql://127.0.0.1/fairtick";
  const config = readConfig({ ...process.env, DATABASE_URL: process.env["DATABASE_URL"] || embedded });
  refuseSandboxPartsInLive(config);
  return config;
}

function messageOf(error: unknown): string {
  const expected = [ConfigError, PostgresProblem, TestChainProblem, FamilyProblem, BuildProblem];
  if (expected.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (isNoSpace(error)) return noSpace(settings().dataDir).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
