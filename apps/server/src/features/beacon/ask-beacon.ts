import { fromHex, toHex } from "@fairtick/domain";
import { BEACON_SCHEME, type BeaconChain, isBeaconKey } from "@fairtick/transparency";
import * as v from "valibot";
import { chainHash } from "./beacon-key.ts";
import { createRoundChecker } from "./check-rounds.ts";

/** Client of a beacon that speaks drand's HTTP API. */
export interface BeaconDoor {
  /**
   * Returns the signatures of the given rounds, by number. A round is left out if it isn't answered before `signal`, if the
   * answer isn't a signature of this round, or if the signature isn't valid under the chain's key.
   */
  ask(rounds: readonly bigint[], signal: AbortSignal): Promise<ReadonlyMap<bigint, Uint8Array>>;
}

const ANSWER_BYTES = 4_096;

const roundSchema = v.object({
  round: v.pipe(v.number(), v.safeInteger()),
  signature: v.pipe(v.string(), v.regex(/^[0-9a-f]{96}$/)),
});

/**
 * Opens a client of one beacon.
 * @param url address of the chain's rounds: `<url>/public/<round>`
 * @param onTrouble called with the cause for rounds without an answer or with an invalid signature
 */
export function openBeaconDoor(
  url: string,
  chain: Pick<BeaconChain, "publicKey">,
  onTrouble: (round: bigint, cause: unknown) => void,
): BeaconDoor {
  const check = createRoundChecker();

  async function askOne(round: bigint, signal: AbortSignal): Promise<Uint8Array | null> {
    const text = await fetchText(`${url}/public/${round}`, signal);
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), roundSchema), text);
    if (!read.success || BigInt(read.output.round) !== round) return null;
    return fromHex(read.output.signature);
  }

  return {
    async ask(rounds, signal) {
      const answers = await Promise.allSettled(rounds.map((round) => askOne(round, signal)));
      const told = rounds.flatMap((round, place) => {
        const answer = answers[place];
        if (answer?.status === "fulfilled" && answer.value !== null) return [{ round, signature: answer.value }];
        onTrouble(round, answer?.status === "rejected" ? answer.reason : "no answer that names the round");
        return [];
      });
      const places = await check(chain.publicKey, told);
      const wrong = new Set(places.map((place) => told[place]?.round));
      for (const round of wrong) if (round !== undefined) onTrouble(round, "it does not hold under the chain's key");
      return new Map(told.filter(({ round }) => !wrong.has(round)).map(({ round, signature }) => [round, signature]));
    },
  };
}

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const infoSchema = v.object({
  public_key: v.string(),
  period: whole,
  genesis_time: whole,
  groupHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  schemeID: v.string(),
  metadata: v.object({ beaconID: v.string() }),
});

/**
 * Reads from `<url>/info` when the chain's rounds are due. Throws if the chain has another key than `publicKey` or another
 * scheme, or if the address ends with a chain's hash, as drand's addresses do, and it is another chain's.
 */
export async function readBeaconChain(url: string, publicKey: Uint8Array, signal: AbortSignal): Promise<BeaconChain> {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), infoSchema), await fetchText(`${url}/info`, signal));
  if (!read.success) throw new Error(`${url}/info does not say what chain this is`);
  const info = read.output;
  if (info.schemeID !== BEACON_SCHEME)
    throw new Error(`${url} is of the scheme ${info.schemeID}, not ${BEACON_SCHEME}`);
  if (info.public_key !== toHex(publicKey) || !isBeaconKey(publicKey)) throw new Error(`${url} has another key`);
  const chain = { genesis: BigInt(info.genesis_time), period: BigInt(info.period), publicKey };
  const named = /\/([0-9a-f]{64})$/.exec(url)?.[1];
  const hash = chainHash(chain, fromHex(info.groupHash) ?? new Uint8Array(), info.metadata.beaconID);
  if (named !== undefined && named !== hash) throw new Error(`${url}/info is not of the chain that the address names`);
  return chain;
}

async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return text.length > ANSWER_BYTES ? "" : text;
}
