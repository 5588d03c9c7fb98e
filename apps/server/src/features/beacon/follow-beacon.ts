import { setTimeout as sleep } from "node:timers/promises";
import { beaconRoundAt, beaconRoundTime, type Clock, fromHex, type Instant } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { type BeaconChain, verifyRound } from "@fairtick/transparency";
import * as v from "valibot";
import type { Log } from "../../platform/log.ts";

export interface BeaconFollower {
  /** The verified signature of a round that is due; null as long as it is not there. */
  signatureOf(round: bigint): Uint8Array | null;
  stop(): Promise<void>;
}

export interface FollowerParts {
  /** Where the chain's rounds are: `<url>/public/<round>`. */
  readonly url: string;
  readonly chain: BeaconChain;
  readonly clock: Clock;
  readonly log: Log;
}

/** Rounds kept: more than an epoch has. */
const KEPT = 400;
const TRY_AGAIN_MS = 150;
const TIMEOUT_MS = 2_000;
/** A round is asked for as long as this; who missed it goes on with the next. */
const GIVE_UP_MS = 3_000n;
const ANSWER_BYTES = 4_096;

const schema = v.object({
  round: v.pipe(v.number(), v.safeInteger()),
  signature: v.pipe(v.string(), v.regex(/^[0-9a-f]{96}$/)),
});

/**
 * Follows a chain: fetches each round when it is due, and keeps it only once its signature holds under the chain's key. What
 * answers too early, or for another round, or with anything else, counts as no answer.
 */
export function followBeacon({ url, chain, clock, log }: FollowerParts): BeaconFollower {
  const stopping = new AbortController();
  const kept = new Map<bigint, Uint8Array>();

  async function ask(round: bigint): Promise<Uint8Array | null> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetch(`${url}/public/${round}`, { signal });
    const text = answer.ok ? await answer.text() : "";
    if (text.length > ANSWER_BYTES) return null;
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    const signature = read.success && BigInt(read.output.round) === round ? fromHex(read.output.signature) : null;
    if (signature === null) return null;
    if (verifyRound(nodeHashes, chain.publicKey, { round, signature })) return signature;
    log.warn({ round: round.toString() }, "a round of the beacon does not hold under the chain's key");
    return null;
  }

  function keep(round: bigint, signature: Uint8Array): void {
    kept.set(round, signature);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  }

  async function fetchRound(round: bigint): Promise<void> {
    const until = (beaconRoundTime(chain, round) + GIVE_UP_MS) as Instant;
    let cause: unknown;
    while (!stopping.signal.aborted && clock.now() < until) {
      try {
        const signature = await ask(round);
        if (signature !== null) {
          keep(round, signature);
          return;
        }
      } catch (error) {
        cause = error;
      }
      await pause(TRY_AGAIN_MS);
    }
    if (!stopping.signal.aborted) log.warn({ err: cause, round: round.toString() }, "a round of the beacon is missing");
  }

  async function loop(): Promise<void> {
    let next = beaconRoundAt(chain, clock.now());
    while (!stopping.signal.aborted) {
      const wait = beaconRoundTime(chain, next) - clock.now();
      if (next < 1n || wait > 0n) {
        await pause(Number(wait > 0n ? wait : 1n));
        if (next < 1n) next = 1n;
        continue;
      }
      await fetchRound(next);
      next += 1n;
      // After a long pause what is missed is missed: the newest counts.
      const newest = beaconRoundAt(chain, clock.now());
      if (newest > next) next = newest;
    }
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  const running = loop();
  return {
    signatureOf: (round) => (round > beaconRoundAt(chain, clock.now()) ? null : (kept.get(round) ?? null)),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
