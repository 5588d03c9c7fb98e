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
  return new HttpWitnessDesk(settings, log, before);
}

class HttpWitnessDesk implements WitnessDesk {
  readonly #settings: WitnessSettings;
  readonly #log: Log;
  /** What the witness cosigned last: the size, its time in ms, and whether it also gave a signature without a time. */
  #size: number | null;
  #at: number | null;
  #isTimeless: boolean | null;
  /** Rounds since a problem was logged; 0 logs the next one. */
  #untold = 0;
  #refusal: string | null = null;
  #isAway = false;

  constructor(settings: WitnessSettings, log: Log, before: WitnessStanding | undefined) {
    this.#settings = settings;
    this.#log = log;
    this.#size = before?.size ?? null;
    this.#at = before?.at ?? null;
    this.#isTimeless = before?.timeless ?? null;
  }

  async ask(proposal: Proposal): Promise<WitnessAnswer | null> {
    const answer = await this.#ask(proposal);
    this.#isAway = answer === null;
    return answer;
  }

  async #ask(proposal: Proposal): Promise<WitnessAnswer | null> {
    try {
      let answer = await this.#post(proposal, Math.min(this.#size ?? 0, proposal.size));
      if (answer.status === 409) {
        const their = await sizeOf(answer);
        if (their === null || their > proposal.size) return this.#refuse(proposal, their);
        answer = await this.#post(proposal, their);
      }
      const body = (await answer.text()).slice(0, ANSWER_LENGTH_MAX);
      if (answer.status !== 200) return this.#tell("a witness does not cosign", { status: answer.status });
      return this.#readAnswer(body, proposal);
    } catch (error) {
      return this.#tell("a witness does not answer", { err: error });
    }
  }

  refusal(): string | null {
    return this.#refusal;
  }

  standing(): WitnessStanding {
    const { key } = this.#settings;
    const [size, at, timeless] = [this.#size, this.#at, this.#isTimeless];
    return { name: key.name, key: formatVerifierKey(key), size, at, timeless, away: this.#isAway };
  }

  async #post(proposal: Proposal, oldSize: number): Promise<Response> {
    const proof = await proposal.proofFrom(oldSize);
    return fetch(`${this.#settings.url}/add-checkpoint`, {
      method: "POST",
      body: formatAddCheckpoint({ oldSize, proof, checkpoint: proposal.note }),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      redirect: "error",
    });
  }

  /** Reads the signatures of an answer, and notes what the witness cosigned. */
  #readAnswer(body: string, { size, text }: Proposal): WitnessAnswer | null {
    const { key } = this.#settings;
    const [signature] = readCosignatures(body, text, [key]);
    if (signature === undefined) return this.#tell("a witness's cosignature does not hold", {});
    // The signature is preceded by its time, eight bytes in seconds (c2sp.org/tlog-cosignature).
    const seconds = Buffer.from(signature.signature).readBigUInt64BE();
    this.#size = size;
    this.#at = Number(seconds) * 1000;
    this.#untold = 0;
    this.#refusal = null;
    const timeless = readTimeless(key, body, text);
    this.#isTimeless = timeless !== null;
    return { cosignature: signature, timeless };
  }

  /** Notes that the witness knows a longer log, or a fork of this one (`their` is null). */
  #refuse(proposal: Proposal, their: number | null): null {
    const knows = their === null ? "another one" : `${their} entries`;
    const { name } = this.#settings.key;
    this.#refusal = `the witness ${name} refuses this log of ${proposal.size} entries: they know ${knows}`;
    return this.#tell("a witness knows another log than this one", { their });
  }

  #tell(what: string, more: object): null {
    if (this.#untold === 0) this.#log.warn({ witness: this.#settings.key.name, ...more }, what);
    this.#untold = (this.#untold + 1) % TELL_EVERY;
    return null;
  }
}

/** Reads the size that the witness cosigned last from a 409 answer; null for a fork. */
async function sizeOf(answer: Response): Promise<number | null> {
  const text = (await answer.text()).trim();
  const told = answer.headers.get("content-type") === WITNESS_SIZE_TYPE && /^[0-9]{1,15}$/.test(text);
  return told ? Number(text) : null;
}

/** Returns the signature without a time of an answer; null if there is none or it doesn't hold. */
function readTimeless(key: VerifierKey, body: string, text: string): NoteSignature | null {
  const signatures = body.split("\n").flatMap((line) => parseSignatureLine(line) ?? []);
  const found = findTimeless(signatures, key);
  return found !== null && verifyTimeless(key, text, found.signature) ? found : null;
}
