import type { ChildProcess, StdioOptions } from "node:child_process";
import { join, resolve } from "node:path";
import { acceptanceVerifierKey, type Config, logVerifierKeys } from "@fairtick/server";
import { FamilyProblem, nodeAlone, whenKept } from "./family.ts";
import { forkPart } from "./fork-part.ts";
import { type Keeping, keepRunning, type KeptPart, NOT_OURS, runOf } from "./keep-running.ts";

const COMMAND = resolve(import.meta.dirname, "../packages/transparency/src/cli/main.ts");
const STOP_MS_MAX = 1_500;

export interface StartedWitness {
  /** Environment for the family's processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its address for the printed list. */
  readonly where: string;
  readonly part: KeptPart;
}

/**
 * Starts a witness of the public log's checkpoints in its own process, with its own folder for key and memory, unless
 * WITNESSES names some. A witness on the house's machine protects the house from accidents. Protection from the house
 * itself takes the same command on somebody else's machine.
 */
export async function openWitness(config: Config, { ending, say, following }: Keeping): Promise<StartedWitness> {
  if (process.env["WITNESSES"]) {
    const names = config.witnesses.map(({ url, key }) => `${key.slice(0, key.indexOf("+"))} at ${url}`);
    const where = names.length > 0 ? names.join(", ") : "none";
    return { environment: {}, where, part: NOT_OURS };
  }
  // The role that writes the log has its checkpoints cosigned.
  if (!config.roles.has("log")) return { environment: {}, where: "none here", part: NOT_OURS };
  const folder = join(config.dataDir, "witness");
  const logKeys = logVerifierKeys(config).flatMap((key) => ["--log", key]);
  // The role that accepts orders signs them, so its key is only on this machine if it runs here.
  const acceptance = config.roles.has("api") ? ["--acceptance", acceptanceVerifierKey(config)] : [];
  const name = config.logOrigin.replace(/\/log$/, "/witness");
  const args = ["witness", "--folder", folder, "--name", name, ...logKeys, ...acceptance];
  const begin = (port: string) => {
    const stdio = ["ignore", "ignore", "inherit", "ipc"] satisfies StdioOptions;
    const options = { env: nodeAlone(), stdio, detached: true };
    const child = forkPart("witness", COMMAND, [...args, "--port", port], options, following);
    const told = toldBy(child);
    return { told, run: runOf(child, whenKept(told), STOP_MS_MAX) };
  };
  const first = begin("0");
  const told = await Promise.race([first.told, first.run.ended]);
  if (typeof told === "string") {
    throw new FamilyProblem(`The witness in ${folder} could not start. What it said is above.`);
  }
  const { url, key } = told;
  const part = keepRunning({
    name: "The witness",
    first: first.run,
    // Restart at the address that the log's writer knows.
    begin: async (ended) => {
      await ended;
      return begin(new URL(url).port).run;
    },
    ending,
    say,
    waitsForChange: following !== undefined,
  });
  return {
    environment: { WITNESSES: JSON.stringify([{ url, key }]) },
    where: `${url}, its key and memory in ${folder}`,
    part,
  };
}

interface Told {
  readonly url: string;
  readonly key: string;
}

/** Waits for the message with the witness's address and key. */
function toldBy(child: ChildProcess): Promise<Told> {
  return new Promise((done) => {
    child.on("message", (message: object) => {
      if ("key" in message) done(message as Told);
    });
  });
}
