import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import type { Config, Started } from "@fairtick/server";
import type { PayableChain } from "./chain.ts";
import { answerOf, FamilyProblem, nodeAlone, sentenceOf, whenKept } from "./family.ts";
import { forkPart } from "./fork-part.ts";
import { type Keeping, keepRunning, type KeptPart, NOT_OURS, runOf } from "./keep-running.ts";

const MAIN = resolve(import.meta.dirname, "../apps/signer/src/main.ts");
const STOP_MS_MAX = 1_000;

export interface StartedSigner {
  readonly part: KeptPart;
  /** Tells the server where the signer is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its report; null if no signer is started here. */
  readonly answer: Started | null;
}

/** Used if nothing is paid on a chain of this start. */
const NO_SIGNER: StartedSigner = { part: NOT_OURS, environment: {}, answer: null };

/**
 * Starts a sandbox's signer. It pays on the test chain only, and shares a secret with the server that is new at each
 * start. It gets only its own settings and receives no events.
 */
export async function openSigner(
  config: Config,
  payable: PayableChain | null,
  { ending, say, following }: Keeping,
): Promise<StartedSigner> {
  if (payable === null) return NO_SIGNER;
  const secret = randomBytes(32).toString("hex");
  const begin = (port: string) => {
    const own = {
      SIGNER_PORT: port,
      SIGNER_SECRET: secret,
      SIGNER_FOLDER: join(config.dataDir, "signer"),
      SIGNER_RULES: JSON.stringify({ chains: [payable], trustFirstKey: true }),
    };
    const child = forkPart("signer", MAIN, [], { env: { ...nodeAlone(), ...own }, detached: true }, following);
    const answer = answerOf(child);
    return { answer, run: runOf(child, whenKept(answer), STOP_MS_MAX) };
  };
  const first = begin("0");
  const ended = first.run.ended.then((how): never => {
    throw new FamilyProblem(`The signer process ended (${how}) while it started. Its last lines are above.`);
  });
  const answer = await Promise.race([first.answer, ended]);
  const url = /http:\S+(?=,)/.exec(answer.places[0]?.where ?? "")?.[0] ?? "";
  const part = keepRunning({
    name: "The signer process",
    first: first.run,
    begin: async (ended) => {
      await ended;
      // Restart at the port where the server looks for it.
      const again = begin(new URL(url).port);
      void again.answer.catch((problem: unknown) => say(sentenceOf(problem)));
      return again.run;
    },
    ending,
    say,
    waitsForChange: following !== undefined,
  });
  return { part, answer, environment: { SIGNER_URL: url, SIGNER_SECRET: secret } };
}
