import { fork, type ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { childEnd, isFamilyReport, relayBus, type Started } from "@fairtick/server";

const ROLES = resolve(import.meta.dirname, "../apps/server/src/roles");
const STOP_MS_MAX = 12_000;

const SIGNER = resolve(import.meta.dirname, "../apps/signer/src/main.ts");

export type RoleName = "signer" | "market" | "server";

/** Processes that work together: they start together, hear each other's events, and end together. */
export interface Family {
  /** What each says of itself, once all do their work; rejects with a sentence when one cannot. */
  readonly started: Promise<ReadonlyMap<RoleName, Started>>;
  readonly pids: ReadonlyMap<RoleName, number>;
  /** Settles with a sentence when one ends that nobody stopped. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

interface Member {
  readonly name: RoleName;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

/**
 * Starts a process for each role, with `environment` over this process's own. The signer is told nothing but what is
 * meant for it, and hears no events.
 */
export function startFamily(
  names: readonly RoleName[],
  environment: Readonly<Record<string, string>>,
  ofSigner: Readonly<Record<string, string>> = {},
): Family {
  const env = { ...process.env, ...environment };
  const answers = new Map<RoleName, Started>();
  const members: Member[] = [];
  let stopping = false;
  const broken = Promise.withResolvers<string>();
  const started = Promise.withResolvers<ReadonlyMap<RoleName, Started>>();
  // Whoever waits for one of the two may never look at the other.
  started.promise.catch(() => undefined);

  for (const name of names) {
    // A group of its own: a Ctrl-C in the terminal is for this process, which stops its children in order.
    const child =
      name === "signer"
        ? fork(SIGNER, [], { env: { PATH: process.env["PATH"], ...ofSigner }, detached: true })
        : fork(join(ROLES, `${name}.ts`), [], { env, serialization: "advanced", detached: true });
    const ended = new Promise<void>((resolveEnded) => {
      child.once("exit", (code, signal) => {
        if (!stopping) {
          const sentence = `The ${name} process ended (${signal ?? `code ${code}`}), so all the others end too. Its last lines are above.`;
          started.reject(new FamilyProblem(sentence));
          broken.resolve(sentence);
        }
        resolveEnded();
      });
    });
    child.on("message", (message: unknown) => {
      if (!isFamilyReport(message)) return;
      if (message.kind === "problem") {
        started.reject(new FamilyProblem(message.sentence));
        return;
      }
      answers.set(name, message);
      if (answers.size === names.length) started.resolve(answers);
    });
    members.push({ name, child, ended });
  }
  relayBus(members.filter(({ name }) => name !== "signer").map(({ child }) => childEnd(child)));

  return {
    started: started.promise,
    broken: broken.promise,
    pids: new Map(members.map(({ name, child }) => [name, child.pid ?? 0])),
    async stop() {
      stopping = true;
      const killed = setTimeout(() => {
        for (const { child } of members) child.kill("SIGKILL");
      }, STOP_MS_MAX);
      // The server first: it settles its answers while the market still ticks.
      for (const { child, ended } of members.toReversed()) {
        child.kill("SIGTERM");
        await ended;
      }
      clearTimeout(killed);
    },
  };
}

/** A process of the family could not start or ended; the message says which and why. */
export class FamilyProblem extends Error {
  override readonly name = "FamilyProblem";
}
