import type { Clock, Payment } from "@fairtick/domain";
import type { Journal, JournalEntry } from "./journal.ts";
import type { SignerAnswer, SignerRefusal } from "./messages.ts";
import type { SignerRules } from "./settings.ts";

export type Authorized = Extract<JournalEntry, { t: "authorized" }>;

const DAY_MS = 86_400_000;

export function refuse(refusal: SignerRefusal, detail: string): SignerAnswer<never> {
  return { ok: false, refusal, detail };
}

/**
 * Applies the rules' limits to the journal. It is read anew each time, so that the limits also apply when a payment is
 * signed.
 */
export function openLimits(parts: {
  readonly journal: Journal;
  readonly rules: SignerRules;
  readonly clock: Pick<Clock, "now">;
}) {
  const { journal, rules, clock } = parts;

  /**
   * Returns the payments that may be signed: for each withdrawal the newest authorized one, unless it was retracted.
   */
  function standing(): Map<string, Authorized> {
    const newest = new Map<string, Authorized>();
    for (const one of journal.entries) {
      if (one.t === "authorized") newest.set(one.payment.id, one);
      if (one.t === "retracted") newest.delete(one.id);
    }
    return newest;
  }

  /** Sums the amounts authorized or signed in the last 24 hours, except that of `id`. */
  function spent(id: string | null, how?: Authorized["how"]): bigint {
    const signedAt = new Map(journal.entries.flatMap((one) => (one.t === "signed" ? [[one.id, one.at] as const] : [])));
    let sum = 0n;
    for (const one of standing().values()) {
      const when = signedAt.get(one.payment.id) ?? one.at;
      const counts =
        one.payment.id !== id && when > Number(clock.now()) - DAY_MS && (how === undefined || one.how === how);
      if (counts) sum += BigInt(one.payment.amount);
    }
    return sum;
  }

  /**
   * Refuses a payment that is currently beyond limits that no operator's signature lifts; null if it is within them.
   */
  function beyondRules({ id, expiry, amount }: Payment): SignerAnswer<never> | null {
    if (expiry <= clock.now()) return refuse("EXPIRED", `${id} expired at ${expiry}`);
    if (amount <= 0n || amount > rules.paymentMax) {
      return refuse("PAYMENT_LIMIT", `${id} of ${amount} is above ${rules.paymentMax}`);
    }
    if (spent(id) + amount > rules.dayMax) return refuse("DAY_LIMIT", `${id}: more than ${rules.dayMax} in 24 hours`);
    return null;
  }

  /** Returns whether the payment is currently within the limits that need no operator. */
  function isAutomatic({ id, amount }: Payment): boolean {
    return amount <= rules.automaticMax && spent(id, "automatic") + amount <= rules.automaticDayMax;
  }

  return { standing, spent, beyondRules, isAutomatic };
}
