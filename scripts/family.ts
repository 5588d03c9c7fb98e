import { fork, type ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { childEnd, isFamilyReport, relayBus, type Started, tellEnvironment, TOLD_LATER } from "@fairtick/server";

const ROLES = resolve(import.meta.dirname, "../apps/server/src/roles");
/** All of them together; the rest of the ten seconds is for the witness, the test chain and the database. */
const STOP_MS_MAX = 5_000;

const SIGNER = resolve(import.meta.dirname, "../apps/signer/src/main.ts");

export type RoleName = "market" | "server";
export type ProcessName = "signer" | RoleName;

/** Processes that work together: they start together, hear each other's events, and end together. */
export interface Family {
  /** What each says of itself, once all do their work; rejects with a sentence when one cannot. */
  readonly started: Promise<ReadonlyMap<ProcessName, Started>>;
  readonly pids: ReadonlyMap<ProcessName, number>;
  /** Settles with a sentence when one ends that nobody stopped. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

export interface Member {
  readonly name: ProcessName;
  readonly child: ChildProcess;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
}

/** The environment of a process that is told nothing of the house. */
export function nodeAlone(): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] };
}

/** A process for each role, which loads its code and waits until `startFamily` tells it what to work with. */
export function forkRoles(names: readonly RoleName[]): Member[] {
  return names.map((name) => {
    const env = process.env;
    // A group of its own: a Ctrl-C in the terminal is for this process, which stops its children in order.
    const child = fork(join(ROLES, `${name}.ts`), [TOLD_LATER], { env, serialization: "advanced", detached: true });
    return member(name, child);
  });
}

/**
 * Gives the roles' processes their environment, over this process's own, and starts a signer before them where there are
 * settings for one. The signer is told nothing but what is meant for it, and hears no events.
 */
export function startFamily(
  roles: readonly Member[],
  environment: Readonly<Record<string, string>>,
  ofSigner: Readonly<Record<string, string>> | null = null,
): Family {
  const members =
    ofSigner === null
      ? roles
      : [member("signer", fork(SIGNER, [], { env: { ...nodeAlone(), ...ofSigner }, detached: true })), ...roles];
  const answers = new Map<ProcessName, Started>();
  let stopping = false;
  const broken = Promise.withResolvers<string>();
  const started = Promise.withResolvers<ReadonlyMap<ProcessName, Started>>();
  // Whoever waits for one of the two may never look at the other.
  started.promise.catch(() => undefined);

  for (const { name, child, ended } of members) {
    void ended.then((how) => {
      if (stopping) return;
      const sentence = `The ${name} process ended (${how}), so all the others end too. Its last lines are above.`;
      started.reject(new FamilyProblem(sentence));
      broken.resolve(sentence);
    });
    child.on("message", (message: unknown) => {
      if (!isFamilyReport(message)) return;
      if (message.kind === "problem") {
        started.reject(new FamilyProblem(message.sentence));
        return;
      }
      answers.set(name, message);
      if (answers.size === members.length) started.resolve(answers);
    });
  }
  relayBus(roles.map(({ child }) => childEnd(child)));
  for (const { child } of roles) tellEnvironment(child, environment);

  return {
    started: started.promise,
    broken: broken.promise,
    pids: new Map(members.map(({ name, child }) => [name, child.pid ?? 0])),
    stop() {
      stopping = true;
      return stopMembers(members);
    },
  };
}

/** Ends processes, the last first: the server settles its answers while the market still ticks. */
export async function stopMembers(members: readonly Member[]): Promise<void> {
  const killed = setTimeout(() => {
    for (const { child } of members) child.kill("SIGKILL");
  }, STOP_MS_MAX);
  for (const { child, ended } of members.toReversed()) {
    child.kill("SIGTERM");
    await ended;
  }
  clearTimeout(killed);
}

function member(name: ProcessName, child: ChildProcess): Member {
  const ended = new Promise<string>((resolveEnded) => {
    child.once("exit", (code, signal) => {
      resolveEnded(signal ?? `code ${code}`);
    });
  });
  return { name, child, ended };
}

/** A process of the family could not start or ended; the message says which and why. */
export class FamilyProblem extends Error {
  override readonly name = "FamilyProblem";
}
