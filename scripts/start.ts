import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import {
  checkDatabase,
  checkFreeSpace,
  FREE_BYTES_MIN,
  giveUpOwnership,
  migrate,
  noSpace,
  ownedFolderAt,
  PostgresProblem,
  startPostgres,
  takeOwnership,
} from "@fairtick/postgres";
import { ConfigError, readConfig, refuseSandboxPartsInLive, type Config } from "@fairtick/server";
import { TestChainProblem } from "@fairtick/test-chain";
import { openChain, type StartedChain } from "./chain.ts";
import { type Family, FamilyProblem, forkRoles, type Member, startFamily, stopMembers } from "./family.ts";
import { BuildProblem, buildStaleApps } from "./build-app.ts";
import { prepareSigner } from "./signer.ts";
import { printStarted } from "./print-started.ts";
import { openWitness, type StartedWitness } from "./witness.ts";

const MIGRATIONS = resolve(import.meta.dirname, "../apps/server/migrations");
const POSTGRES_FOLDER = "postgres";
/** What is left of the ten seconds in which everything ends, once all who use the database are gone. */
const DATABASE_STOP_MS_MAX = 2_500;

interface StartedDatabase {
  readonly url: string;
  readonly where: string;
  /** Settles when the server ends that nobody stopped; never for one that others run. */
  readonly ended: Promise<unknown>;
  stop(patienceMs?: number): Promise<void>;
}

/** Asked to stop: a clean end, at whatever point of the start. */
class StopAsked extends Error {}

const stopAsked = Promise.withResolvers<never>();
stopAsked.promise.catch(() => undefined);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    stopAsked.reject(new StopAsked());
  });
}
// The launcher was killed; its signals can no longer arrive.
process.on("disconnect", () => {
  stopAsked.reject(new StopAsked());
});

process.exitCode = await main();
// An open channel to the launcher would keep this process waiting.
if (process.connected) process.disconnect();

async function main(): Promise<number> {
  const begun = performance.now();
  let database: StartedDatabase | undefined;
  let chain: StartedChain | undefined;
  let witness: StartedWitness | undefined;
  let roles: Member[] = [];
  let family: Family | undefined;
  let giveUpFolder: (() => void) | undefined;
  try {
    const config = settings();
    await refuseTakenPort(config.host, config.port, "PORT");
    await refuseTakenPort(config.host, config.consolePort, "CONSOLE_PORT");
    refuseFullDisk(config.dataDir);
    giveUpFolder = takeFolder(config.dataDir);
    roles = forkRoles(["market", "server"]);
    const [opened, chained, watched, built] = await Promise.allSettled([
      openDatabase(config),
      openChain(config),
      openWitness(config),
      buildStaleApps(),
    ]);
    if (opened.status === "fulfilled") database = opened.value;
    if (chained.status === "fulfilled") chain = chained.value;
    if (watched.status === "fulfilled") witness = watched.value;
    // Asked to stop meanwhile: whatever else went wrong went wrong by that.
    await Promise.race([stopAsked.promise, Promise.resolve()]);
    if (opened.status === "rejected") throw opened.reason;
    if (chained.status === "rejected") throw chained.reason;
    if (watched.status === "rejected") throw watched.reason;
    if (built.status === "rejected") throw built.reason;
    const { url, where, ended } = opened.value;
    const { payable } = chained.value;
    const signer = payable === null ? null : await prepareSigner(config, payable);
    const environment = {
      DATABASE_URL: url,
      ...chained.value.environment,
      ...watched.value.environment,
      ...signer?.ofServer,
    };
    // Ended from behind: the server, which asks the signer, goes before it.
    family = startFamily(roles, environment, signer?.own);
    const answers = await Promise.race([family.started, stopAsked.promise]);
    printStarted({
      config,
      database: where,
      chain: chained.value.where,
      witness: watched.value.where,
      builtApps: built.value,
      seconds: (performance.now() - begun) / 1000,
      pids: family.pids,
      answers,
    });
    const sentence = await Promise.race([
      family.broken,
      ended.then(() => "PostgreSQL ended, so all the others end too. Start again: all that was confirmed is there."),
      watched.value.ended.then(() => "The witness ended, so all the others end too. Start again: it remembers."),
      chained.value.ended.then(
        () => "The test chain ended, so all the others end too. Start again: it goes on where it was.",
      ),
      stopAsked.promise,
    ]);
    console.error(sentence);
    return 1;
  } catch (error) {
    if (error instanceof StopAsked) {
      console.log("Stopping.");
      return 0;
    }
    console.error(sentenceOf(error));
    return 1;
  } finally {
    await (family?.stop() ?? stopMembers(roles));
    await Promise.all([witness?.stop(), chain?.stop()]);
    await database?.stop(DATABASE_STOP_MS_MAX);
    giveUpFolder?.();
  }
}

/** What the environment says; the database's address may be missing, since one is brought along. */
function settings(): Config {
  const embedded = "postgresql://127.0.0.1/fairtick";
  const config = readConfig({ ...process.env, DATABASE_URL: process.env["DATABASE_URL"] || embedded });
  refuseSandboxPartsInLive(config);
  return config;
}

/** The database that DATABASE_URL names, or the embedded one; with all migrations applied. */
async function openDatabase(config: Config): Promise<StartedDatabase> {
  const say = (sentence: string) => {
    console.log(sentence);
  };
  if (process.env["DATABASE_URL"]) {
    const version = await checkDatabase(config.databaseUrl);
    await migrate(config.databaseUrl, MIGRATIONS);
    const { host, pathname } = new URL(config.databaseUrl);
    const ended = new Promise<never>(() => undefined);
    return {
      url: config.databaseUrl,
      where: `PostgreSQL ${version} at ${host}${pathname}`,
      ended,
      stop: async () => undefined,
    };
  }
  const port = config.databasePort;
  const server = await startPostgres({ folder: join(config.dataDir, POSTGRES_FOLDER), say, ...(port > 0 && { port }) });
  try {
    const version = await checkDatabase(server.url);
    await migrate(server.url, MIGRATIONS);
    const where = `PostgreSQL ${version} at 127.0.0.1:${server.port}, data in ${server.folder}`;
    return { url: server.url, where, ended: server.ended, stop: (patienceMs) => server.stop(patienceMs) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Said before anything is started, since it is the commonest fault of all. */
async function refuseTakenPort(host: string, port: number, setting: "PORT" | "CONSOLE_PORT"): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolvePort, reject) => {
    const probe = createServer();
    probe.once("error", (error) => {
      const code = "code" in error ? error.code : "";
      if (code === "EADDRINUSE") {
        reject(
          new FamilyProblem(
            `Port ${port} is in use by another program. Stop that program, or choose another port: ${setting}=${port + 10} npm start`,
          ),
        );
      } else if (code === "EACCES") {
        reject(
          new FamilyProblem(
            `This user may not listen on port ${port}. Choose one above 1023: ${setting}=8080 npm start`,
          ),
        );
      } else {
        reject(
          new FamilyProblem(`${host}:${port} cannot be listened on (${error.message}). Correct HOST or ${setting}.`),
        );
      }
    });
    probe.listen(port, host, () => {
      probe.close(() => {
        resolvePort();
      });
    });
  });
}

/** Before anything is written there: half a seed or half a chain would be worse than none. */
function refuseFullDisk(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if (isNoSpace(error)) throw noSpace(folder);
    // Whoever writes there first says what else is wrong with it.
    return;
  }
  checkFreeSpace(folder, FREE_BYTES_MIN);
}

/**
 * One start at a time works in a data folder: a second one would end the test chain of the first before it noticed. Answers
 * how to give it up.
 */
function takeFolder(dataDir: string): () => void {
  const folder = ownedFolderAt(dataDir);
  takeOwnership(folder);
  return () => {
    giveUpOwnership(folder);
  };
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}

function sentenceOf(error: unknown): string {
  const expected = [ConfigError, PostgresProblem, TestChainProblem, FamilyProblem, BuildProblem];
  if (expected.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (isNoSpace(error)) return noSpace(settings().dataDir).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
