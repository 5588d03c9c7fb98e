import { setTimeout as sleep } from "node:timers/promises";
import { COSIGNATURE_TYPE, parseVerifierKey } from "@fairtick/transparency";
import { ConfigError, publicLogFolder } from "../../platform/config.ts";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/database.ts";
import { nameUnsigned } from "../../platform/incident-entry.ts";
import { createWitnessDesk, type WitnessDesk, type WitnessSettings } from "./ask-witness.ts";
import { type LogFiles, openLogFiles } from "./log-files.ts";
import { openLogKeyFiles, openLogSigners } from "./log-keys.ts";
import {
  giveBackLog,
  LogHaltError,
  type Publication,
  readPublication,
  StaleLogWriterError,
  storePause,
  takeLog,
  type TakenLog,
  unsignedBy,
} from "./log-store.ts";
import { openLogWriter } from "./log-writer.ts";

export interface RunningLog {
  /** The log's files, for serving and for proofs. */
  readonly files: LogFiles;
  readonly origin: string;
  /** Stops writing and gives up the lease, so that the next writer needn't wait. */
  stop(): Promise<void>;
}

const EVERY_MS = 1_000;
const LEASE_MS = 5_000;
const ASK_AGAIN_MS = 250;
const RETRY_MS = 500;
/** A log whose newest checkpoint moves on by more than this has had a pause, which is reported. */
const PAUSE_MS = 10_000n;

/**
 * Writes the public log while this process holds the lease, with a checkpoint each second. `onTrouble` gets the reason if none
 * can be published, and undefined when all is well again. A log that contradicts itself is never signed again automatically,
 * so its trouble stays until a person steps in.
 */
export async function startLog(
  context: Pick<Context, "config" | "databases" | "log" | "clock">,
  onTrouble: (reason: string | undefined) => void = () => undefined,
): Promise<RunningLog> {
  const { config, databases, log, clock } = context;
  const files = await openLogFiles(publicLogFolder(config));
  const keys = openLogKeyFiles(config.dataDir, config.logOrigin);
  const witnesses = config.witnesses.map(witnessOf);
  return new LeasedLog({
    database: databases.log,
    log,
    clock,
    onTrouble,
    files,
    keys,
    origin: keys[0]?.verifier.name ?? config.logOrigin,
    witnesses,
    witnessesRequired: config.witnessesRequired ?? witnesses.length,
  });
}

interface LeasedLogParts extends Pick<Context, "log" | "clock"> {
  readonly database: Database;
  readonly onTrouble: (reason: string | undefined) => void;
  readonly files: LogFiles;
  readonly keys: ReturnType<typeof openLogKeyFiles>;
  readonly origin: string;
  readonly witnesses: readonly WitnessSettings[];
  readonly witnessesRequired: number;
}

class LeasedLog implements RunningLog {
  readonly files: LogFiles;
  readonly origin: string;
  readonly #parts: LeasedLogParts;
  readonly #stopping = new AbortController();
  readonly #startedAt: bigint;
  readonly #running: Promise<void>;
  /** The time up to which a published checkpoint covers everything; null before the first one. */
  #coveredThrough: bigint | null = null;
  /** The witnesses that did not sign at some time since then. */
  readonly #unsigned = new Set<string>();

  constructor(parts: LeasedLogParts) {
    this.files = parts.files;
    this.origin = parts.origin;
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#running = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { database, log, onTrouble } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      let taken: TakenLog | null = null;
      try {
        taken = await takeLog(database, LEASE_MS);
        if (taken === null) {
          // Another process writes the log, so earlier trouble of this one no longer matters.
          onTrouble(undefined);
          await this.#pause(ASK_AGAIN_MS);
        } else await this.#write(taken);
      } catch (error) {
        if (error instanceof LogHaltError) {
          log.fatal({ err: error }, "the public log is no longer signed");
          onTrouble(`halted: ${error.message}`);
          return;
        }
        const isStale = error instanceof StaleLogWriterError;
        if (isStale) log.warn({ err: error }, "another writer of the public log took over");
        else log.error({ err: error }, "the public log failed and will be tried again");
        onTrouble(isStale ? undefined : "it could not be written");
        await this.#pause(RETRY_MS);
      } finally {
        if (taken !== null) {
          await giveBackLog(database, taken.epoch).catch((error: unknown) => {
            log.warn({ err: error }, "the lease of the public log could not be released");
          });
        }
      }
    }
  }

  /** Writes with this lease until stopped, taken over or failed. */
  async #write(taken: TakenLog): Promise<void> {
    const { database, log, clock, files, keys, witnessesRequired, onTrouble } = this.#parts;
    const signers = await openLogSigners(database, keys, async () => clock.now());
    const desks = await this.#openDesks();
    const covered = (await readPublication(database))?.coversAt ?? 0n;
    this.#coveredThrough = covered === 0n ? null : covered;
    const parts = { database, files, signers, witnesses: desks, witnessesRequired, taken, leaseMs: LEASE_MS };
    const writer = await openLogWriter(parts);
    log.info({ epoch: taken.epoch.toString(), size: taken.size, origin: signers.origin }, "writing the public log");
    let due = clock.elapsedMs();
    while (!this.#stopping.signal.aborted) {
      await this.#tellPause(await writer.pass());
      onTrouble(tooManyRefusals(desks, witnessesRequired));
      due = Math.max(due + EVERY_MS, clock.elapsedMs());
      await this.#pause(Math.max(0, due - clock.elapsedMs()));
    }
  }

  /** Opens a desk for each witness, with what the tables know of it. */
  async #openDesks(): Promise<WitnessDesk[]> {
    const { database, log, witnesses } = this.#parts;
    const known = (await readPublication(database))?.witnesses ?? [];
    return witnesses.map((each) => {
      const before = known.find((one) => one.name === each.key.name);
      return createWitnessDesk(each, log, before);
    });
  }

  /** Stores a pause as an incident, with the witnesses that did not sign meanwhile. The time that checkpoints cover moves on each second, so a jump means a pause. */
  async #tellPause(published: Publication | null): Promise<void> {
    const to = published?.coversAt ?? null;
    if (to === null || to === 0n || to === this.#coveredThrough) {
      for (const name of unsignedBy(published?.witnesses ?? [])) this.#unsigned.add(name);
      return;
    }
    const from = this.#coveredThrough;
    const unsigned = [...this.#unsigned];
    this.#coveredThrough = to;
    this.#unsigned.clear();
    if (from === null || to - from <= PAUSE_MS) return;
    // The first checkpoint after a start may still cover time before it, so compare when the pause began.
    const told =
      from < this.#startedAt
        ? ({ part: "house", reason: "nobody wrote the log: the house was down" } as const)
        : ({ part: "log", reason: "no checkpoint was published" } as const);
    await storePause(this.#parts.database, { from, to, part: told.part, reason: nameUnsigned(told.reason, unsigned) });
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

/** Says why too few witnesses are left to cosign. Witnesses that are only late or unreachable don't count as refusing. */
function tooManyRefusals(desks: readonly WitnessDesk[], required: number): string | undefined {
  const refusals = desks.flatMap((desk) => desk.refusal() ?? []);
  return desks.length - refusals.length < required ? refusals[0] : undefined;
}

function witnessOf({ url, key }: { readonly url: string; readonly key: string }): WitnessSettings {
  const parsed = parseVerifierKey(key);
  if (parsed?.type !== COSIGNATURE_TYPE) throw new ConfigError(`WITNESSES: ${key} is not a witness's key.`);
  return { url, key: parsed };
}
