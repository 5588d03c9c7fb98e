import type { Deposit } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { readStored, readStoredJson, removeStored, store } from "../shared/storage.ts";
import { storedMemberId } from "./member-id.ts";
import { storedWallet } from "./session.ts";

/** A deposit that arrived in the real wallet and that the member hasn't seen there yet. */
export interface Credit {
  readonly member: string;
  readonly depositNo: string;
  /** In USD, as on the wire. */
  readonly amount: string;
}

const KEY = "fairtickCredit";
const KNOWN_KEY = "fairtickCredited";
const watchers = new Set<() => void>();
let read: { readonly text: string | null; readonly credit: Credit | null } = { text: null, credit: null };

/** What is read from a deposit here: `amount` in USD, `creditedAt` in the server's time. */
type Credited = Pick<Deposit, "depositNo" | "amount" | "state" | "creditedAt">;

/** Stores the newest credit across reloads until it is seen. With the real wallet in view it counts as seen at once. */
export function noteCredit({ depositNo, amount, creditedAt = 0 }: Credited): void {
  keepNewest(Math.max(creditedAt, newestKnown() ?? 0));
  if (storedWallet() === "real") return;
  store(KEY, JSON.stringify({ member: storedMemberId(), depositNo, amount } satisfies Credit));
  tell();
}

/**
 * Notes the newest of these deposits if it was credited while nothing could tell this device. What was credited before
 * the member first used the device is no news there.
 */
export function noteMissedCredit(deposits: readonly Credited[]): void {
  const [newest] = deposits.filter(isCredited).toSorted((one, other) => other.creditedAt - one.creditedAt);
  const known = newestKnown();
  if (known === null) keepNewest(newest?.creditedAt ?? 0);
  else if (newest !== undefined && newest.creditedAt > known) noteCredit(newest);
}

function isCredited(deposit: Credited): deposit is Credited & { readonly creditedAt: number } {
  return deposit.state === "deposited" && deposit.creditedAt !== undefined;
}

/** Returns when the newest credit was made that this member's device knows of; null if it hasn't looked yet. */
function newestKnown(): number | null {
  const kept = readStoredJson(KNOWN_KEY) as { member?: unknown; at?: unknown } | null;
  return kept?.member === storedMemberId() && typeof kept.at === "number" ? kept.at : null;
}

function keepNewest(at: number): void {
  store(KNOWN_KEY, JSON.stringify({ member: storedMemberId(), at }));
}

/** Clears the credit: the member has seen the real wallet or chose to stay where they are. */
export function seeCredit(): void {
  if (readStored(KEY) === null) return;
  removeStored(KEY);
  tell();
}

/** The credit that this member hasn't seen yet, or null. */
export function useCredit(): Credit | null {
  const credit = useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, readCredit);
  return credit?.member === storedMemberId() ? credit : null;
}

/** Returns the same object while the stored text is unchanged, as `useSyncExternalStore` requires. */
function readCredit(): Credit | null {
  const text = readStored(KEY);
  if (text !== read.text) read = { text, credit: parseCredit(text) };
  return read.credit;
}

function parseCredit(text: string | null): Credit | null {
  if (text === null) return null;
  try {
    const { member, depositNo, amount } = JSON.parse(text) as Record<string, unknown>;
    const isCredit = [member, depositNo, amount].every((part) => typeof part === "string");
    // Only a plain amount can be shown; anything else isn't a credit.
    return isCredit && /^\d+\.\d\d$/.test(String(amount))
      ? { member: String(member), depositNo: String(depositNo), amount: String(amount) }
      : null;
  } catch {
    return null;
  }
}

function tell(): void {
  for (const watcher of watchers) watcher();
}
