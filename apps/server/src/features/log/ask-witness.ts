import {
  formatAddCheckpoint,
  findTimeless,
  formatVerifierKey,
  type NoteSignature,
  parseSignatureLine,
  readCosignatures,
  type VerifierKey,
  verifyTimeless,
  WITNESS_SIZE_TYPE,
} from "@fairtick/transparency";
import type { Log } from "../../platform/log.ts";
import type { WitnessStanding } from "./log-store.ts";

export interface WitnessSettings {
  readonly url: string;
  readonly key: VerifierKey;
}

/** A checkpoint for witnesses to cosign. */
export interface Proposal {
  readonly size: number;
  readonly text: string;
  /** The text as a signed note. */
  readonly note: string;
  readonly proofFrom: (size: number) => Promise<readonly Uint8Array[]>;
}

export interface WitnessAnswer {
  readonly cosignature: NoteSignature;
  /** The signature without a time, from which an epoch's mix is made; null if the witness gives none. */
  readonly timeless: NoteSignature | null;
}

export interface WitnessDesk {
  /** Asks the witness to cosign. Null if it is late, unreachable or refuses. */
  ask(proposal: Proposal): Promise<WitnessAnswer | null>;
  standing(): WitnessStanding;
  /** Why the witness refuses; null if it doesn't refuse, which includes being late or unreachable. */
  refusal(): string | null;
}

/** How long to wait for an answer. Later ones are useless, since newer checkpoints are asked for by then. */
const ANSWER_MS_MAX = 2_000;
const ANSWER_LENGTH_MAX = 10_000;
/** The same problem is logged again after this many rounds. */
const TELL_EVERY = 60;

/** Creates a desk that asks one witness by `add-checkpoint` of c2sp.org/tlog-witness. `before` is what the tables know of it. */
export function createWitnessDesk(
  settings: WitnessSettings,
  log: Log,
  before: WitnessStanding | undefined,
): WitnessDesk {
  const { url, key } = settings;
  let [size, at, isTimeless] = [before?.size ?? null, before?.at ?? null, before?.timeless ?? null];
  let untold = 0;
  let refusal: string | null = null;

  async function post(proposal: Proposal, oldSize: number): Promise<Response> {
    const proof = await proposal.proofFrom(oldSize);
    return fetch(`${url}/add-checkpoint`, {
      method: "POST",
      body: formatAddCheckpoint({ oldSize, proof, checkpoint: proposal.note }),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      redirect: "error",
    });
  }

  /** Reads the size that the witness cosigned last from a 409 answer; null for a fork. */
  async function sizeOf(answer: Response): Promise<number | null> {
    const text = (await answer.text()).trim();
    const told = answer.headers.get("content-type") === WITNESS_SIZE_TYPE && /^[0-9]{1,15}$/.test(text);
    return told ? Number(text) : null;
  }

  function readTimeless(body: string, text: string): NoteSignature | null {
    const found = findTimeless(
      body.split("\n").flatMap((line) => parseSignatureLine(line) ?? []),
      key,
    );
    return found !== null && verifyTimeless(key, text, found.signature) ? found : null;
  }

  function tell(what: string, more: object): null {
    if (untold === 0) log.warn({ witness: key.name, ...more }, what);
    untold = (untold + 1) % TELL_EVERY;
    return null;
  }

  return {
    async ask(proposal) {
      try {
        let answer = await post(proposal, Math.min(size ?? 0, proposal.size));
        if (answer.status === 409) {
          const their = await sizeOf(answer);
          if (their === null || their > proposal.size) {
            const knows = their === null ? "another one" : `${their} entries`;
            refusal = `the witness ${key.name} refuses this log of ${proposal.size} entries: they know ${knows}`;
            return tell("a witness knows another log than this one", { their });
          }
          answer = await post(proposal, their);
        }
        const body = (await answer.text()).slice(0, ANSWER_LENGTH_MAX);
        if (answer.status !== 200) return tell("a witness does not cosign", { status: answer.status });
        const [signature] = readCosignatures(body, proposal.text, [key]);
        if (signature === undefined) return tell("a witness's cosignature does not hold", {});
        // The signature is preceded by its time, eight bytes in seconds (c2sp.org/tlog-cosignature).
        const seconds = Buffer.from(signature.signature).readBigUInt64BE();
        [size, at, untold] = [proposal.size, Number(seconds) * 1000, 0];
        refusal = null;
        const timeless = readTimeless(body, proposal.text);
        isTimeless = timeless !== null;
        return { cosignature: signature, timeless };
      } catch (error) {
        return tell("a witness does not answer", { err: error });
      }
    },
    refusal: () => refusal,
    standing: () => ({ name: key.name, key: formatVerifierKey(key), size, at, timeless: isTimeless }),
  };
}
