import type { ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { childEnd, isFamilyReport, relayBus, type Started, tellEnvironment, TOLD_LATER } from "@fairtick/server";
import { type Following, forkPart } from "./fork-part.ts";
import { keepRunning, type KeptPart, type Run, runOf } from "./keep-running.ts";

const ROLES = resolve(import.meta.dirname, "../apps/server/src/roles");
/** Time for each process to stop; the rest of the ten seconds is for the witness, the test chain and the database. */
const STOP_MS_MAX = { server: 3_500, market: 1_500 };

export type ProcessName = "market" | "server";

/** Processes that work together. They receive each other's events, and each is restarted if it ends. */
export interface Family {
  /** The processes' reports, once all of them work; rejects with a sentence if one can't. */
  readonly started: Promise<ReadonlyMap<ProcessName, Started>>;
  /** Returns the ids of the current processes. */
  pids(): ReadonlyMap<ProcessName, number>;
  /** Resolves with a sentence when a process is given up. */
  readonly broken: Promise<string>;
  /** Replaces one of the processes and says why; see `KeptPart.restart`. */
  restart(name: ProcessName, why: string): void;
  stop(): Promise<void>;
}

export interface FamilyOptions {
  readonly roles: readonly Member[];
  /** Merged over this process's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Aborted when everything is about to be stopped; without it, only `stop` ends the processes. */
  readonly ending?: AbortSignal;
  readonly say?: (sentence: string) => void;
  readonly triesMax?: number;
  /** Set during development: a failed start then waits for the next change. */
  readonly following?: Following;
}

export interface Member {
  readonly name: ProcessName;
  readonly child: ChildProcess;
  readonly run: Run;
  /** Its report once it works; rejects with its sentence if it can't. */
  readonly answer: Promise<Started>;
}

/** Returns an environment with nothing about the house. */
export function nodeAlone(): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    NODE_OPTIONS: process.env["NODE_OPTIONS"],
  };
}

/** Starts a process for each role. It loads its code and waits for `startFamily` to pass its environment. */
export function forkRoles(names: readonly ProcessName[], following?: Following): Member[] {
  return names.map((name) => forkRole(name, following));
}

function forkRole(name: ProcessName, following?: Following): Member {
  // In its own process group, so that Ctrl-C in the terminal only reaches this process, which stops its children in
  // order.
  const options = { env: process.env, serialization: "advanced", detached: true } as const;
  const child = forkPart(name, join(ROLES, `${name}.ts`), [TOLD_LATER], options, following);
  const answer = answerOf(child);
  return { name, child, answer, run: runOf(child, whenKept(answer), STOP_MS_MAX[name]) };
}

/**
 * Passes the roles' processes their environment and keeps them running; one that ends is restarted with the same
 * environment.
 */
export function startFamily(options: FamilyOptions): Family {
  const { roles, environment, ending = new AbortController().signal, say = console.error } = options;
  const { triesMax, following } = options;
  const relay = relayBus(roles.map(({ child }) => childEnd(child)));
  let parts: KeptPart[] = [];
  const kept = (member: Member): KeptPart =>
    keepRunning({
      name: `The ${member.name} process`,
      first: member.run,
      begin: async (ended) => {
        // The new process loads its code while the old one releases its resources.
        const again = forkRole(member.name, following);
        await ended;
        void again.answer.catch((problem: unknown) => say(sentenceOf(problem)));
        relay.add(childEnd(again.child));
        tellEnvironment(again.child, environment);
        return again.run;
      },
      ending,
      say,
      waitsForChange: following !== undefined,
      ...(triesMax !== undefined && { triesMax }),
    });

  const broken = Promise.withResolvers<string>();
  const started = whenAllAnswer(roles).then((answers) => {
    // Only a process that has worked once is retried, because a wrong setting stays wrong.
    parts = roles.map(kept);
    for (const part of parts) void part.broken.then(broken.resolve);
    return answers;
  });
  // Callers may only use one of the two promises, so avoid an unhandled rejection of the other.
  started.catch(() => undefined);
  for (const { child } of roles) tellEnvironment(child, environment);

  return {
    started,
    broken: broken.promise,
    pids: () => new Map(roles.map(({ name, run }, place) => [name, parts[place]?.pid() ?? run.pid])),
    restart: (name, why) => parts[roles.findIndex((role) => role.name === name)]?.restart(why),
    stop: () => stopInTurn(parts.length > 0 ? parts : roles.map(({ run }) => run)),
  };
}

async function whenAllAnswer(roles: readonly Member[]): Promise<ReadonlyMap<ProcessName, Started>> {
  const answers = roles.map(async ({ name, answer, run }): Promise<[ProcessName, Started]> => {
    const how = run.ended.then((end): never => {
      throw new FamilyProblem(`The ${name} process ended (${end}) while it started. Its last lines are above.`);
    });
    return [name, await Promise.race([answer, how])];
  });
  return new Map(await Promise.all(answers));
}

/** Ends processes in reverse order, so that the server settles its answers while the market still ticks. */
export async function stopMembers(members: readonly Member[]): Promise<void> {
  await stopInTurn(members.map(({ run }) => run));
}

async function stopInTurn(parts: readonly { stop(): Promise<void> }[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop();
}

/** Waits for the report of a process; rejects with `FamilyProblem` and its sentence if it can't work. */
export function answerOf(child: ChildProcess): Promise<Started> {
  const answer = new Promise<Started>((done, reject) => {
    child.on("message", (message: unknown) => {
      if (!isFamilyReport(message)) return;
      if (message.kind === "problem") reject(new FamilyProblem(message.sentence));
      else done(message);
    });
  });
  answer.catch(() => undefined);
  return answer;
}

/** Resolves when `answer` does, and never if it rejects. */
export function whenKept(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch(() => new Promise<never>(() => undefined));
}

export function sentenceOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** A process of the family couldn't start or has ended; the message says which one and why. */
export class FamilyProblem extends Error {
  override readonly name = "FamilyProblem";
}
