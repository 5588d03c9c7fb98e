import type { Output, overviewRead } from "@fairtick/protocol/operator";

export type Overview = Output<typeof overviewRead>;
type Queue = Overview["queues"][number];

interface Approval {
  /** Address of the screen on which proposals of this kind are decided. */
  readonly place: string;
  readonly name: string;
}

/** What each kind of proposal is called, and where it is decided. */
const APPROVALS: Readonly<Record<string, Approval>> = {
  capital: { place: "capital", name: "House capital" },
  card_deposit: { place: "deposits", name: "Card deposits" },
  config: { place: "config?view=proposals", name: "Configuration" },
  correction: { place: "corrections", name: "Corrections" },
  deposit_reversal: { place: "deposits", name: "Deposit reversals" },
  identity: { place: "identities", name: "Identity checks" },
  identity_revoke: { place: "identities", name: "Identities to revoke" },
  incident: { place: "incidents", name: "Incidents" },
  lift: { place: "members?view=review", name: "Suspensions to lift" },
  member_freeze: { place: "members", name: "Member freezes to lift" },
  operator: { place: "operators?view=proposals", name: "Operators" },
  payout_key: { place: "keys", name: "Signing keys" },
  receiving_card: { place: "cards?view=proposals", name: "Receiving cards" },
  referral: { place: "referral", name: "Invite reward" },
  regions: { place: "regions?view=proposals", name: "Regions" },
  second_factor: { place: "members", name: "Lost second factors" },
  withdrawals: { place: "withdrawalTerms?view=proposals", name: "Withdrawal terms" },
};

/** Address of the screen behind a queue, with the filter that the overview counts. */
export function linkOf({ queue, kind }: Pick<Queue, "queue" | "kind">): string {
  if (queue !== "approvals") return `#/${queue}`;
  return `#/${APPROVALS[kind ?? ""]?.place ?? "account"}`;
}

/** Names a row of approvals by its kind. */
export function nameOfApprovals({ kind }: Pick<Queue, "kind">): string {
  const name = APPROVALS[kind ?? ""]?.name;
  return name === undefined ? "Second approvals" : `Second approvals: ${name}`;
}

/** Ages of the cases in a queue in milliseconds, oldest first. */
export function waitingIn({ since }: Pick<Queue, "since">, at: number): number[] {
  return since.map((each) => at - each);
}

/** The queue whose oldest case has waited longest; null when nothing waits. */
export function longestWaiting({ queues }: Pick<Overview, "queues">): Queue | null {
  const waiting = queues.filter(({ since }) => since.length > 0);
  return waiting.toSorted((a, b) => (a.since[0] ?? 0) - (b.since[0] ?? 0))[0] ?? null;
}

/** Share of a limit in percent, at most 100. A limit of zero gives 100 unless nothing is used. */
export function shareOf(used: string, limit: string): number {
  const [part, whole] = [Number(used), Number(limit)];
  if (whole <= 0) return part > 0 ? 100 : 0;
  return Math.min(100, (part / whole) * 100);
}

/** Adds amounts with up to six places without rounding them: `["1.10", "2.05"]` → `3.15`. */
export function addAmounts(amounts: readonly string[]): string {
  const micro = amounts.reduce((sum, amount) => {
    const [whole = "0", part = ""] = amount.replace("-", "").split(".");
    const value = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0").slice(0, 6));
    return amount.startsWith("-") ? sum - value : sum + value;
  }, 0n);
  const digits = (micro < 0n ? -micro : micro).toString().padStart(7, "0");
  const places = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${micro < 0n ? "-" : ""}${digits.slice(0, -6)}.${places}`;
}
