/** Where secrets are judged: what a stranger may do is bounded, and a device that the account knows is left alone. */
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
  /** What the secret belongs to: an address or a name, known or not. */
  readonly account: string;
  /** The device that asks, where the account knows it. */
  readonly known: DeviceKey | null;
  /** Whether a session of the account runs from this network: its member is at home there, whoever else guesses from it. */
  readonly isNeighbour?: boolean;
  readonly ip: string;
  readonly now: Instant;
  /** Of a stranger's tries, where they are not those of a login. */
  readonly waits?: Waits;
}

type Lane = <Value>(task: () => Promise<Value>) => Promise<Value>;

interface Door {
  readonly brake: Brake;
  /** Known devices do not queue behind strangers, however many of these come. */
  readonly knownLane: Lane;
  readonly strangersLane: { readonly run: Lane; isFull(): boolean };
}

/** Strangers who wait at a door. Whoever comes then is asked to come back, rather than left waiting for a minute. */
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

/** 60 wrong tries of an address at once, then one every two seconds: an office mistypes less, a list of passwords takes days. */
const BRAKE = { burst: 60, everyMs: 2_000n, waitMsMax: 10_000n };

export const MEMBERS_DOOR: Door = {
  brake: createBrake(BRAKE),
  knownLane: createLimiter(3),
  strangersLane: createLane(4),
};
/** Nothing is shared with the members: whoever floods the one side is not noticed on the other. */
export const OPERATORS_DOOR: Door = {
  brake: createBrake(BRAKE),
  knownLane: createLimiter(1),
  strangersLane: createLane(2),
};

/**
 * Judges a secret at a door. A known device has tries of its own, which end with its first right one. Everybody else
 * shares the account's tries for strangers, and waits where the address has been wrong too often, unless the account is
 * at home there: a neighbour's flood would take every turn of the address, and ten guesses a day at such an account gain
 * little. An address that was wrong at this account leaves each next try to others for a while, so that whoever keeps
 * guessing from one place cannot take every try from the owner's new device. Refuses with
 * TOO_MANY_TRIES[retryAt] and RATE_LIMITED[retryAt] besides what `judge` refuses with.
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
