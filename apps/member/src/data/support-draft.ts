import { useSyncExternalStore } from "react";
import { reportFailure } from "./failures.ts";
import { storedMemberId } from "./member-id.ts";
import { sessionToken, watchSession } from "./session.ts";
import { sayToSupport, type Saying } from "./support.ts";
import { keepUpload } from "./upload.ts";

/** What the chat was opened about. */
export type About = Pick<Saying, "topic" | "amount">;

/** Sent and not yet answered, or not sent. */
export interface Pending {
  readonly saying: Saying;
  readonly failed: boolean;
}

/** What the member is about to say; in memory alone. It outlives a look at an article or at another tab. */
export interface SupportDraft {
  readonly words: string;
  /** Goes with the first message and no further. */
  readonly about: About;
  readonly pending: readonly Pending[];
}

const EMPTY: SupportDraft = { words: "", about: {}, pending: [] };
let draft = EMPTY;
/** The file that goes with it. */
export const supportFile = keepUpload("support");
/** Which address has filled it in, and with what: it does so once. */
let filledBy = "";
let filledWith = "";
let owner = memberNow();
const watchers = new Set<() => void>();

function memberNow(): string {
  return sessionToken() === null ? "" : storedMemberId();
}

function change(to: Partial<SupportDraft>): void {
  draft = { ...draft, ...to };
  for (const watcher of watchers) watcher();
}

// The session is over, or another member's has begun.
watchSession(() => {
  const member = memberNow();
  if (member === owner) return;
  owner = member;
  filledBy = "";
  filledWith = "";
  supportFile.clear();
  change(EMPTY);
});

export function useSupportDraft(): SupportDraft {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => draft,
  );
}

export function writeSupport(words: string): void {
  change({ words });
}

/** The chat is opened by an address: once for each one, and never over what the member has written themselves. */
export function openSupport(about: About | null, words: string): void {
  const address = about === null ? "" : `${about.topic ?? ""} ${about.amount ?? ""}`;
  // Opened for itself, with nothing written, it is about nothing.
  if (about === null && draft.words === "") change({ about: {} });
  if (address === filledBy) return;
  filledBy = address;
  if (about === null) return;
  const isOwn = draft.words !== "" && draft.words !== filledWith;
  filledWith = isOwn ? "" : words;
  change({ about, ...(!isOwn && { words }) });
}

/** Sends what was written, with what it is about; the field is empty again. */
export function sendSupport(saying: Saying): void {
  const { about } = draft;
  supportFile.clear();
  change({ words: "", about: {} });
  void trySupport({ ...saying, ...about });
}

/** Sends a message, for the first time or again: with the same client id it is the same message. */
export async function trySupport(saying: Saying): Promise<void> {
  const others = () => draft.pending.filter((one) => one.saying.clientId !== saying.clientId);
  change({ pending: [...others(), { saying, failed: false }] });
  try {
    await sayToSupport(saying);
    change({ pending: others() });
  } catch (error) {
    // It may be another member's draft by now.
    if (draft.pending.some((one) => one.saying === saying)) reportFailure(error);
    const failed = draft.pending.map((one) => (one.saying === saying ? { saying, failed: true } : one));
    change({ pending: failed });
  }
}
