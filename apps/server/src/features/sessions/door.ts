/**
 * Limits guessing at passwords and other secrets. Strangers get a limited number of tries, and their tries do not
 * affect a device that the account knows.
 */
import { type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import { type Brake, createBrake } from "./address-brake.ts";
import {
  accountSubject,
  type AttemptKind,
  deviceSubject,
  forgetTries,
  guess,
  ipAtAccountSubject,
  ipSubject,
  isWrongGuess,
  OWN,
  STRANGERS,
  type Waits,
} from "../../platform/attempts.ts";
import { createLimiter } from "../../platform/limiter.ts";

export interface Guess {
  readonly kind: AttemptKind;
  /** The account that the secret belongs to: an address or a name, whether it exists or not. */
  readonly account: string;
  /** The device that asks, if the account knows it. */
  readonly known: DeviceKey | null;
  /**
   * Whether a session of the account runs from this network. Then the member isn't slowed down by others who guess from
   * it.
   */
  readonly isNeighbour?: boolean;
  readonly ip: string;
  readonly now: Instant;
  /** Limits for strangers' tries. Defaults to those of a login. */
  readonly waits?: Waits;
}

type Lane = <Value>(task: () => Promise<Value>) => Promise<Value>;

interface Door {
  readonly brake: Brake;
  /** A separate limit, so that known devices never queue behind strangers. */
  readonly knownLane: Lane;
  readonly strangersLane: { readonly run: Lane; isFull(): boolean };
}

/** How many strangers may wait at once. Others are asked to come back later rather than left waiting for a minute. */
const WAITING_MAX = 100;
const COME_BACK_MS = 5_000n;

function createLane(max: number): Door["strangersLane"] {
  const limit = createLimiter(max);
  let inside = 0;
  return {
    isFull: () => inside >= max + WAITING_MAX,
    async run(task) {
      inside += 1;
      try {
        return await limit(task);
      } finally {
        inside -= 1;
      }
    },
  };
}

/**
 * An address gets 60 wrong tries at once, then one every two seconds: an office mistypes less, and a list of passwords
 * takes days.
 */
const BRAKE = { burst: 60, everyMs: 2_000n, waitMsMax: 10_000n };

export const MEMBERS_DOOR: Door = {
  brake: createBrake(BRAKE),
  knownLane: createLimiter(3),
  strangersLane: createLane(4),
};
/** Shares nothing with the members' door, so that a flood on one side doesn't affect the other. */
export const OPERATORS_DOOR: Door = {
  brake: createBrake(BRAKE),
  knownLane: createLimiter(1),
  strangersLane: createLane(2),
};

/**
 * Judges a secret. A known device has tries of its own, which are reset by a correct one. Everyone else shares the
 * account's tries for strangers and waits if there were too many wrong tries from the address. That wait doesn't apply
 * if a session of the account runs in that network: otherwise a flood from there would lock the member out, and ten
 * guesses a day at such an account gain little. After a wrong try at an account, an address has to leave the next one
 * to others for a while, so that someone who keeps guessing from one place can't use up the tries that the owner's new
 * device needs. Refuses TOO_MANY_TRIES[retryAt] and RATE_LIMITED[retryAt] in addition to what `judge` refuses.
 */
export async function guessAtDoor<Value>(
  door: Door,
  pool: Queryable,
  { kind, account, known, isNeighbour = false, ip, now, waits = STRANGERS }: Guess,
  judge: () => Promise<Verdict<Value>>,
): Promise<Verdict<Value>> {
  if (known !== null) {
    const subject = deviceSubject(known, account);
    const verdict = await guess(pool, { kind, subject, waits: OWN, now }, judge, door.knownLane);
    if (verdict.ok) await forgetTries(pool, kind, [subject]);
    return verdict;
  }
  if (door.strangersLane.isFull()) return refuse("RATE_LIMITED", { retryAt: Number(now + COME_BACK_MS) });
  const newcomer = kind === "login" ? { newcomer: ipAtAccountSubject(ip, account) } : {};
  const attempt = { kind, subject: accountSubject(account), waits, now, ...newcomer };
  if (isNeighbour) return guess(pool, attempt, judge, door.strangersLane.run);
  return door.brake.pass(ipSubject(ip), now, async () => {
    const verdict = await guess(pool, attempt, judge, door.strangersLane.run);
    const counts = !verdict.ok && (isWrongGuess(verdict.refusal) || verdict.refusal.error === "TOO_MANY_TRIES");
    return { verdict, counts };
  });
}
