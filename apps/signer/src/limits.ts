import type { Clock, Payment } from "@fairtick/domain";
import type { Journal, JournalEntry } from "./journal.ts";
import type { SignerAnswer, SignerRefusal } from "./messages.ts";
import type { SignerRules } from "./settings.ts";

export type Authorized = Extract<JournalEntry, { t: "authorized" }>;

const DAY_MS = 86_400_000;

export function refuse(refusal: SignerRefusal, detail: string): SignerAnswer<never> {
  return { ok: false, refusal, detail };
}

/** The rules' limits as the journal stands: read anew each time, so that they hold when it is signed as well. */
export function openLimits(parts: {
  readonly journal: Journal;
  readonly rules: SignerRules;
  readonly clock: Pick<Clock, "now">;
}) {
  const { journal, rules, clock } = parts;

  /** What may be signed: of each withdrawal the newest that was authorized, unless it was retracted. */
  function standing(): Map<string, Authorized> {
    const newest = new Map<string, Authorized>();
    for (const one of journal.entries) {
      if (one.t === "authorized") newest.set(one.payment.id, one);
      if (one.t === "retracted") newest.delete(one.id);
    }
    return newest;
  }

  /** Authorized or signed in the last 24 hours, without `id`. */
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

  /** What no signature of people changes, at this moment; null where it is within it. */
  function beyondRules({ id, expiry, amount }: Payment): SignerAnswer<never> | null {
    if (expiry <= clock.now()) return refuse("EXPIRED", `${id} was good until ${expiry}`);
    if (amount <= 0n || amount > rules.paymentMax) {
      return refuse("PAYMENT_LIMIT", `${id} of ${amount} is above ${rules.paymentMax}`);
    }
    if (spent(id) + amount > rules.dayMax) return refuse("DAY_LIMIT", `${id}: more than ${rules.dayMax} in 24 hours`);
    return null;
  }

  /** Within what it pays without people, at this moment. */
  function isAutomatic({ id, amount }: Payment): boolean {
    return amount <= rules.automaticMax && spent(id, "automatic") + amount <= rules.automaticDayMax;
  }

  return { standing, spent, beyondRules, isAutomatic };
}
