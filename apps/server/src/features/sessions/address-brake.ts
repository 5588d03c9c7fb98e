/**
 * Slows down guessing from one address without ever locking it, because an address may be a whole office or a mobile
 * carrier. Counts only devices that the account doesn't know, and only wrong tries. Kept in memory, per process.
 */
import { type Instant, refuse, type Verdict } from "@fairtick/domain";

export interface BrakeRules {
  /** Wrong tries that an address may make at once. */
  readonly burst: number;
  /** The interval between later tries, in ms. */
  readonly everyMs: bigint;
  /**
   * The longest time that a try waits, in ms. A try that would have to wait longer is refused with the time to come
   * back.
   */
  readonly waitMsMax: bigint;
}

export interface Brake {
  /** Runs `work` when the address's turn comes. Refuses RATE_LIMITED[retryAt]. */
  pass<Value>(subject: string, now: Instant, work: () => Promise<Judged<Value>>): Promise<Verdict<Value>>;
}

/** A verdict, and whether it counts against the address. */
export interface Judged<Value> {
  readonly verdict: Verdict<Value>;
  readonly counts: boolean;
}

const KEPT_MAX = 20_000;

/**
 * Creates the brake. It stores for each address the instant from which the address has its whole burst again (the
 * "generic cell rate algorithm").
 */
export function createBrake({ burst, everyMs, waitMsMax }: BrakeRules): Brake {
  const freeAt = new Map<string, bigint>();
  const sweep = (now: Instant) => {
    for (const [subject, at] of freeAt) if (at <= now) freeAt.delete(subject);
  };
  const giveBack = (subject: string) => {
    const at = freeAt.get(subject);
    if (at !== undefined) freeAt.set(subject, at - everyMs);
  };
  return {
    async pass(subject, now, work) {
      if (freeAt.size >= KEPT_MAX) sweep(now);
      const kept = freeAt.get(subject) ?? 0n;
      const taken = (kept > now ? kept : now) + everyMs;
      const waitMs = taken - now - BigInt(burst) * everyMs;
      if (waitMs > waitMsMax) return refuse("RATE_LIMITED", { retryAt: Number(now + waitMs - waitMsMax) });
      freeAt.set(subject, taken);
      if (waitMs > 0n) await new Promise((resolve) => setTimeout(resolve, Number(waitMs)));
      try {
        const { verdict, counts } = await work();
        if (!counts) giveBack(subject);
        return verdict;
      } catch (fault) {
        giveBack(subject);
        throw fault;
      }
    },
  };
}
