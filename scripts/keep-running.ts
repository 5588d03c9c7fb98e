import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Following } from "./fork-part.ts";

/** One run of a part, from start to end. */
export interface Run {
  readonly pid: number;
  /** Resolves once the part works; never if it ends before that. */
  readonly ready: Promise<unknown>;
  /** Resolves with how the run ended, in words, whatever ended it. */
  readonly ended: Promise<string>;
  /** Ends the run and waits for its end; does nothing if it has already ended. */
  stop(): Promise<void>;
}

/** A part that is restarted whenever it ends. */
export interface KeptPart {
  pid(): number;
  /** Resolves with a sentence when the part is given up after failing too often. */
  readonly broken: Promise<string>;
  /** Replaces the run at once and prints `why`: "orders.ts changed". It doesn't count as a failed start. */
  restart(why: string): void;
  stop(): Promise<void>;
}

export interface KeptOptions {
  /** Name at the beginning of a sentence: "The market process". */
  readonly name: string;
  readonly first: Run;
  /** `ended` resolves when the former run is gone; until then it may still hold its port and its locks. */
  readonly begin: (ended: Promise<unknown>) => Promise<Run>;
  /** Aborted when everything is about to be stopped; nothing is restarted from then on. */
  readonly ending: AbortSignal;
  readonly say: (sentence: string) => void;
  /** How many starts in a row may fail. */
  readonly triesMax?: number;
  /** After a failed start, waits for `restart` instead of retrying; used during development. */
  readonly waitsForChange?: boolean;
}

/** The options that every part of a start has in common. */
export interface Keeping {
  readonly ending: AbortSignal;
  readonly say: (sentence: string) => void;
  /** Set during development: a failed start then waits for the next change. */
  readonly following?: Following;
}

/** A run that ends sooner than this after being ready counts as a failed start. */
const LASTING_MS = 2_000;
/** Delay before each retry. The first one is immediate, in case somebody just killed the part. */
const DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];
export const TRIES_MAX = DELAYS_MS.length;

/**
 * Restarts a part each time it ends, with growing delays, and gives it up after `triesMax` failed starts in a row.
 * `restart` replaces a run at any time: the next one may load its code while the last one closes.
 */
export function keepRunning(options: KeptOptions): KeptPart {
  const keeper = new Keeper(options);
  const watching = keeper.watch();
  return {
    pid: () => keeper.run.pid,
    broken: keeper.broken.promise,
    restart: (why) => keeper.ask(why),
    async stop() {
      keeper.stopStarting();
      await keeper.run.stop();
      // Between a run's end and the next start there is nothing to stop yet.
      await watching;
    },
  };
}

class Keeper {
  readonly #options: KeptOptions;
  readonly #stopped = new AbortController();
  readonly #ending: AbortSignal;
  readonly #aborted: Promise<null>;
  readonly broken = Promise.withResolvers<string>();
  #asked = Promise.withResolvers<string>();
  run: Run;

  constructor(options: KeptOptions) {
    this.#options = options;
    this.run = options.first;
    this.#ending = AbortSignal.any([options.ending, this.#stopped.signal]);
    this.#aborted = new Promise<null>((done) => {
      this.#ending.addEventListener("abort", () => done(null), { once: true });
    });
  }

  ask(why: string): void {
    this.#asked.resolve(why);
  }

  stopStarting(): void {
    this.#stopped.abort();
  }

  async watch(): Promise<void> {
    for (let tries = 0; ;) {
      const end = await Promise.race([endOf(this.run), this.#asked.promise]);
      if (this.#ending.aborted) return;
      if (typeof end === "string") {
        tries = 0;
        await this.#replace(end);
      } else {
        tries = end.lasted ? 1 : tries + 1;
        if (!(await this.#goOn(end, tries))) return;
      }
      if (!this.#ending.aborted) continue;
      await this.run.stop();
      return;
    }
  }

  /** Restarts a part that has ended, at once or when its code changes; returns false once it is given up. */
  async #goOn({ how, lasted }: Ended, tries: number): Promise<boolean> {
    const { name, say, triesMax = TRIES_MAX, waitsForChange = false } = this.#options;
    if (waitsForChange && !lasted) {
      say(`${name} ended (${how}). What it said is above. It starts again when a file changes.`);
      const why = await Promise.race([this.#asked.promise, this.#aborted]);
      if (why !== null) await this.#replace(why);
      return true;
    }
    if (tries > triesMax) {
      this.broken.resolve(
        `${name} ended ${tries} times in a row right after its start (${how}), so everything stops. ` +
          `Its last lines are above.`,
      );
      return false;
    }
    await this.#startAgain(how, DELAYS_MS[tries - 1] ?? DELAYS_MS.at(-1) ?? 0);
    return true;
  }

  async #startAgain(how: string, delayMs: number): Promise<void> {
    const { name, say } = this.#options;
    say(`${name} ended (${how}). Starting it again${delayMs === 0 ? "" : ` in ${delayMs / 1000} s`}.`);
    const waited = sleep(delayMs, undefined, { signal: this.#ending }).catch(() => undefined);
    await Promise.race([waited, this.#asked.promise]);
    if (this.#ending.aborted) return;
    // The new process loads the current code, which covers every restart requested so far.
    this.#asked = Promise.withResolvers();
    this.run = await this.#beginOrFail(Promise.resolve());
    const again = this.run;
    void again.ready.then(() => say(`${name} is running again (process ${again.pid}).`));
  }

  async #replace(why: string): Promise<void> {
    const { name, say } = this.#options;
    const begunMs = performance.now();
    // Requests from here on are for another restart.
    this.#asked = Promise.withResolvers();
    say(`${why}: starting ${name.replace(/^The/, "the")} again.`);
    this.run = await this.#beginOrFail(this.run.stop());
    const again = this.run;
    void again.ready.then(() => {
      const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
      say(`${name} is running again after ${seconds} s (process ${again.pid}).`);
    });
  }

  async #beginOrFail(ended: Promise<unknown>): Promise<Run> {
    try {
      return await this.#options.begin(ended);
    } catch (error) {
      return failedRun(error instanceof Error ? error.message : String(error));
    }
  }
}

/** A part that others run; it never ends here. */
export const NOT_OURS: KeptPart = {
  pid: () => 0,
  broken: new Promise<never>(() => undefined),
  restart: () => undefined,
  stop: async () => undefined,
};

/** Wraps a process as a run. It is stopped by SIGTERM, and by SIGKILL after `stopMsMax`. */
export function runOf(child: ChildProcess, ready: Promise<unknown>, stopMsMax: number): Run {
  const ended = new Promise<string>((done) => {
    child.once("exit", (code, signal) => {
      done(signal ?? `code ${code}`);
    });
    child.once("error", (error) => {
      done(error.message);
    });
  });
  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    async stop() {
      const killed = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
      child.kill("SIGTERM");
      await ended;
      clearTimeout(killed);
    },
  };
}

interface Ended {
  readonly how: string;
  /** Whether it worked for a while. */
  readonly lasted: boolean;
}

/** Waits for a run to end. */
async function endOf({ ready, ended }: Run): Promise<Ended> {
  const first = await Promise.race([ended, ready.then(() => null)]);
  if (typeof first === "string") return { how: first, lasted: false };
  const readyAt = performance.now();
  return { how: await ended, lasted: performance.now() - readyAt >= LASTING_MS };
}

function failedRun(how: string): Run {
  return {
    pid: 0,
    ready: new Promise<never>(() => undefined),
    ended: Promise.resolve(how),
    stop: async () => undefined,
  };
}
