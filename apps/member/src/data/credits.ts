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

/** Stores the newest credit across reloads until it is seen. With the real wallet in view it counts as seen at once. */
export function noteCredit({ depositNo, amount }: Pick<Deposit, "depositNo" | "amount">): void {
  if (storedWallet() === "real") return;
  store(KEY, JSON.stringify({ member: storedMemberId(), depositNo, amount } satisfies Credit));
  tell();
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
