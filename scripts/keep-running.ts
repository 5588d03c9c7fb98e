import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Following } from "./fork-part.ts";

/** One run of a part, from its start to its end. */
export interface Run {
  readonly pid: number;
  /** Kept once the part does its work; never where it ends before. */
  readonly ready: Promise<unknown>;
  /** How it ended, in words; whoever ended it. */
  readonly ended: Promise<string>;
  /** Ends it and waits for that; does nothing once it has ended. */
  stop(): Promise<void>;
}

/** A part that is started again whenever it ends. */
export interface KeptPart {
  pid(): number;
  /** Settles with a sentence once the part has ended so often that it is given up. */
  readonly broken: Promise<string>;
  /** Ends the run and begins another at once, saying `why`: "orders.ts changed". It counts as no failed start. */
  restart(why: string): void;
  stop(): Promise<void>;
}

export interface KeptOptions {
  /** As a sentence begins with it: "The market process". */
  readonly name: string;
  readonly first: Run;
  /** `ended` settles when the former run is gone; until then it may still hold its port and its locks. */
  readonly begin: (ended: Promise<unknown>) => Promise<Run>;
  /** Aborted when everything is about to be stopped: from then on nothing is started again. */
  readonly ending: AbortSignal;
  readonly say: (sentence: string) => void;
  /** How many starts in a row may fail. */
  readonly triesMax?: number;
  /** Where a start failed, waits for `restart` instead of trying again: somebody is at work on the code. */
  readonly waitsForChange?: boolean;
}

/** What every part of a start is kept with. */
export interface Keeping {
  readonly ending: AbortSignal;
  readonly say: (sentence: string) => void;
  /** Given while somebody is at work on the code; a start that fails then waits for the next change. */
  readonly following?: Following;
}

/** A run that ends sooner than this after it was ready counts as a failed start. */
const LASTING_MS = 2_000;
/** Before each try: the first comes at once, in case somebody just killed the part. */
const DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];
export const TRIES_MAX = DELAYS_MS.length;

/**
 * Starts a part again each time it ends, with growing delays, and gives it up after `triesMax` failed starts in a row.
 * `restart` replaces a run at any moment: the next one may load its code while the last one closes.
 */
export function keepRunning(options: KeptOptions): KeptPart {
  const { name, first, begin, say, triesMax = TRIES_MAX, waitsForChange = false } = options;
  const stopped = new AbortController();
  const ending = AbortSignal.any([options.ending, stopped.signal]);
  const aborted = new Promise<null>((done) => {
    ending.addEventListener("abort", () => done(null), { once: true });
  });
  const broken = Promise.withResolvers<string>();
  let asked = Promise.withResolvers<string>();
  let run = first;
  const watching = watch();

  async function watch(): Promise<void> {
    for (let tries = 0; ;) {
      const end = await Promise.race([endOf(run), asked.promise]);
      if (ending.aborted) return;
      if (typeof end === "string") {
        tries = 0;
        await replace(end);
      } else {
        tries = end.lasted ? 1 : tries + 1;
        if (waitsForChange && !end.lasted) {
          say(`${name} ended (${end.how}). What it said is above. It starts again when a file changes.`);
          const why = await Promise.race([asked.promise, aborted]);
          if (why !== null) await replace(why);
        } else if (tries > triesMax) {
          broken.resolve(
            `${name} ended ${tries} times in a row right after its start (${end.how}), so everything stops. ` +
              `Its last lines are above.`,
          );
          return;
        } else {
          await startAgain(end.how, DELAYS_MS[tries - 1] ?? DELAYS_MS.at(-1) ?? 0);
        }
      }
      if (!ending.aborted) continue;
      await run.stop();
      return;
    }
  }

  async function startAgain(how: string, delayMs: number): Promise<void> {
    say(`${name} ended (${how}). Starting it again${delayMs === 0 ? "" : ` in ${delayMs / 1000} s`}.`);
    await Promise.race([sleep(delayMs, undefined, { signal: ending }).catch(() => undefined), asked.promise]);
    if (ending.aborted) return;
    // Whatever was asked for is in the code that is loaded now.
    asked = Promise.withResolvers();
    run = await beginOrFail(Promise.resolve());
    const again = run;
    void again.ready.then(() => say(`${name} is running again (process ${again.pid}).`));
  }

  async function replace(why: string): Promise<void> {
    const begunMs = performance.now();
    // Whatever is asked for from here on is another restart.
    asked = Promise.withResolvers();
    say(`${why}: starting ${name.replace(/^The/, "the")} again.`);
    run = await beginOrFail(run.stop());
    const again = run;
    void again.ready.then(() => {
      const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
      say(`${name} is running again after ${seconds} s (process ${again.pid}).`);
    });
  }

  async function beginOrFail(ended: Promise<unknown>): Promise<Run> {
    try {
      return await begin(ended);
    } catch (error) {
      return failedRun(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    pid: () => run.pid,
    broken: broken.promise,
    restart(why) {
      asked.resolve(why);
    },
    async stop() {
      stopped.abort();
      await run.stop();
      // Somewhere between an end and the next start, it has nothing to stop yet.
      await watching;
    },
  };
}

/** A part that others run: it never ends here. */
export const NOT_OURS: KeptPart = {
  pid: () => 0,
  broken: new Promise<never>(() => undefined),
  restart: () => undefined,
  stop: async () => undefined,
};

/** The run of a process; stopped by SIGTERM, and by SIGKILL after `stopMsMax`. */
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

/** Waits for the end of a run; `lasted` tells whether it did its work for a while. */
async function endOf({ ready, ended }: Run): Promise<{ how: string; lasted: boolean }> {
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
