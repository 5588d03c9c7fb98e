import type { ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { childEnd, isFamilyReport, relayBus, type Started, tellEnvironment, TOLD_LATER } from "@fairtick/server";
import { type Following, forkPart } from "./fork-part.ts";
import { keepRunning, type KeptPart, type Run, runOf } from "./keep-running.ts";

const ROLES = resolve(import.meta.dirname, "../apps/server/src/roles");
/** Each of them; the rest of the ten seconds is for the witness, the test chain and the database. */
const STOP_MS_MAX = { server: 3_500, market: 1_500 };

export type ProcessName = "market" | "server";

/** Processes that work together: they hear each other's events, and each is started again when it ends. */
export interface Family {
  /** What each says of itself, once all do their work; rejects with a sentence when one cannot. */
  readonly started: Promise<ReadonlyMap<ProcessName, Started>>;
  /** Of the processes that run now. */
  pids(): ReadonlyMap<ProcessName, number>;
  /** Settles with a sentence when one is given up. */
  readonly broken: Promise<string>;
  /** Replaces one of the processes, saying why; see `KeptPart.restart`. */
  restart(name: ProcessName, why: string): void;
  stop(): Promise<void>;
}

export interface FamilyOptions {
  readonly roles: readonly Member[];
  /** Over this process's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Aborted when everything is about to be stopped; without it `stop` alone ends them. */
  readonly ending?: AbortSignal;
  readonly say?: (sentence: string) => void;
  readonly triesMax?: number;
  /** Given while somebody is at work on the code: a start that fails waits for the next change. */
  readonly following?: Following;
}

export interface Member {
  readonly name: ProcessName;
  readonly child: ChildProcess;
  readonly run: Run;
  /** What it says of itself once it does its work; rejects with its sentence when it cannot. */
  readonly answer: Promise<Started>;
}

/** The environment of a process that is told nothing of the house. */
export function nodeAlone(): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    NODE_OPTIONS: process.env["NODE_OPTIONS"],
  };
}

/** A process for each role, which loads its code and waits until `startFamily` tells it what to work with. */
export function forkRoles(names: readonly ProcessName[], following?: Following): Member[] {
  return names.map((name) => forkRole(name, following));
}

function forkRole(name: ProcessName, following?: Following): Member {
  // A group of its own: a Ctrl-C in the terminal is for this process, which stops its children in order.
  const options = { env: process.env, serialization: "advanced", detached: true } as const;
  const child = forkPart(name, join(ROLES, `${name}.ts`), [TOLD_LATER], options, following);
  const answer = answerOf(child);
  return { name, child, answer, run: runOf(child, whenKept(answer), STOP_MS_MAX[name]) };
}

/** Gives the roles' processes their environment and keeps them running: one that ends is started again with the same. */
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
        // It loads its code while the one before closes what it holds.
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
    // Only what has once done its work is worth another try: a setting that is wrong stays wrong.
    parts = roles.map(kept);
    for (const part of parts) void part.broken.then(broken.resolve);
    return answers;
  });
  // Whoever waits for one of the two may never look at the other.
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

/** Ends processes, the last first: the server settles its answers while the market still ticks. */
export async function stopMembers(members: readonly Member[]): Promise<void> {
  await stopInTurn(members.map(({ run }) => run));
}

async function stopInTurn(parts: readonly { stop(): Promise<void> }[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop();
}

/** The report of a process of the family; `FamilyProblem` with its sentence where it cannot do its work. */
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

/** Kept as `answer` is; never where that is broken. */
export function whenKept(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch(() => new Promise<never>(() => undefined));
}

export function sentenceOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** A process of the family could not start or ended; the message says which and why. */
export class FamilyProblem extends Error {
  override readonly name = "FamilyProblem";
}
