import type { Deposit } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { readStored, removeStored, store } from "../shared/storage.ts";
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
const watchers = new Set<() => void>();
let read: { readonly text: string | null; readonly credit: Credit | null } = { text: null, credit: null };

/** Keeps the newest credit over a reload until it is seen; with the real wallet in view it is seen at once. */
export function noteCredit({ depositNo, amount }: Pick<Deposit, "depositNo" | "amount">): void {
  if (storedWallet() === "real") return;
  store(KEY, JSON.stringify({ member: storedMemberId(), depositNo, amount } satisfies Credit));
  tell();
}

/** The member has seen the real wallet, or wants to stay where they are. */
export function seeCredit(): void {
  if (readStored(KEY) === null) return;
  removeStored(KEY);
  tell();
}

/** The credit that waits to be seen; null where there is none of this member's. */
export function useCredit(): Credit | null {
  const credit = useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, readCredit);
  return credit?.member === storedMemberId() ? credit : null;
}

/** One object for as long as what is stored stays the same, as React asks of a store. */
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
    // Only a plain amount can be shown; whatever else lies there is nobody's credit.
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
