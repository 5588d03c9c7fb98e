import type { Output, overviewRead } from "@fairtick/protocol/operator";

export type Overview = Output<typeof overviewRead>;
type Queue = Overview["queues"][number];

/** Screen on which each kind of proposal is decided. */
const DECIDED_ON: Readonly<Record<string, string>> = {
  capital: "capital",
  card_deposit: "deposits",
  config: "config?view=proposals",
  correction: "corrections",
  deposit_reversal: "deposits",
  identity: "identities",
  identity_revoke: "identities",
  incident: "incidents",
  lift: "members?view=review",
  operator: "operators?view=proposals",
  payout_key: "keys",
  receiving_card: "cards?view=proposals",
  referral: "referral",
  regions: "regions?view=proposals",
  withdrawals: "withdrawalTerms?view=proposals",
};

/** Address of the screen behind a queue, with the filter that the overview counts. */
export function linkOf({ queue, kind }: Pick<Queue, "queue" | "kind">): string {
  if (queue !== "approvals") return `#/${queue}`;
  return `#/${DECIDED_ON[kind ?? ""] ?? "account"}`;
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

/** Share of a limit in percent, at most 100; 100 of a limit of nothing unless nothing is used. */
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
