import { fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { type Config, logVerifierKeys } from "@fairtick/server";
import { FamilyProblem, nodeAlone } from "./family.ts";

const COMMAND = resolve(import.meta.dirname, "../packages/transparency/src/cli/main.ts");
const STOP_MS_MAX = 1_500;

export interface StartedWitness {
  /** What the family's processes are told of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** For the printed list. */
  readonly where: string;
  /** Settles when it ends that nobody stopped; never for witnesses that others run. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * A witness of the public log's checkpoints, unless WITNESSES names some: a process of its own with its key and memory in a
 * folder of its own. On the machine of the house it keeps the house honest against accidents; against the house itself
 * only somebody else's does, which is the same command on his machine.
 */
export async function openWitness(config: Config): Promise<StartedWitness> {
  if (process.env["WITNESSES"]) {
    const names = config.witnesses.map(({ url, key }) => `${key.slice(0, key.indexOf("+"))} at ${url}`);
    const where = names.length > 0 ? names.join(", ") : "none";
    return { environment: {}, where, ended: new Promise<never>(() => undefined), stop: async () => undefined };
  }
  const folder = join(config.dataDir, "witness");
  const logKeys = logVerifierKeys(config).flatMap((key) => ["--log", key]);
  const args = ["witness", "--folder", folder, "--name", config.logOrigin.replace(/\/log$/, "/witness"), ...logKeys];
  const child = fork(COMMAND, args, {
    env: nodeAlone(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    detached: true,
  });
  let stopping = false;
  const exited = once(child, "exit");
  const ended = new Promise<void>((done) => {
    child.once("exit", () => {
      if (!stopping) done();
    });
  });
  const told = await Promise.race([once(child, "message"), exited.then(() => null)]);
  const [running] = (told ?? []) as [{ url: string; key: string }?];
  if (running === undefined)
    throw new FamilyProblem(`The witness in ${folder} could not start. What it said is above.`);
  return {
    environment: { WITNESSES: JSON.stringify([{ url: running.url, key: running.key }]) },
    where: `${running.url}, its key and memory in ${folder}`,
    ended,
    async stop() {
      stopping = true;
      const killed = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
      child.kill("SIGTERM");
      await exited;
      clearTimeout(killed);
    },
  };
}
