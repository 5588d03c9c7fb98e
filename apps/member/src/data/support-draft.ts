import { useSyncExternalStore } from "react";
import { reportFailure } from "./failures.ts";
import { forgetForNextMember } from "./next-member.ts";
import { sayToSupport, type Saying } from "./support.ts";
import { keepUpload } from "./upload.ts";

/** What the chat was opened about. */
export type About = Pick<Saying, "topic" | "amount">;

/** A message that was sent but not yet answered, or that failed to send. */
export interface Pending {
  readonly saying: Saying;
  readonly failed: boolean;
}

/** What the member is about to send, in memory only. It survives a visit to an article or another tab of the app. */
export interface SupportDraft {
  readonly words: string;
  /** Sent with the first message only. */
  readonly about: About;
  readonly pending: readonly Pending[];
}

const EMPTY: SupportDraft = { words: "", about: {}, pending: [] };
let draft = EMPTY;
/** The attached file. */
export const supportFile = keepUpload("support");
/** The address that last filled in the draft, and the text it filled in. Each address does so once. */
let filledBy = "";
let filledWith = "";
const watchers = new Set<() => void>();

function change(to: Partial<SupportDraft>): void {
  draft = { ...draft, ...to };
  for (const watcher of watchers) watcher();
}

forgetForNextMember(() => {
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

/** Opens the chat from an address. It fills in the draft once, and never overwrites the member's own text. */
export function openSupport(about: About | null, words: string): void {
  const address = about === null ? "" : `${about.topic ?? ""} ${about.amount ?? ""}`;
  // Opened without a topic and with nothing written, the chat has no topic.
  if (about === null && draft.words === "") change({ about: {} });
  if (address === filledBy) return;
  filledBy = address;
  if (about === null) return;
  const isOwn = draft.words !== "" && draft.words !== filledWith;
  filledWith = isOwn ? "" : words;
  change({ about, ...(!isOwn && { words }) });
}

/** Sends the message with its topic and clears the field. */
export function sendSupport(saying: Saying): void {
  const { about } = draft;
  supportFile.clear();
  change({ words: "", about: {} });
  void trySupport({ ...saying, ...about });
}

/** Sends a message, for the first time or again. With the same client id it is the same message. */
export async function trySupport(saying: Saying): Promise<void> {
  const others = () => draft.pending.filter((one) => one.saying.clientId !== saying.clientId);
  change({ pending: [...others(), { saying, failed: false }] });
  try {
    await sayToSupport(saying);
    change({ pending: others() });
  } catch (error) {
    // The draft may belong to another member by now.
    if (draft.pending.some((one) => one.saying === saying)) reportFailure(error);
    const failed = draft.pending.map((one) => (one.saying === saying ? { saying, failed: true } : one));
    change({ pending: failed });
  }
}
