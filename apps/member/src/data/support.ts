import type {
  Output,
  SupportMessage,
  supportMarkRead,
  supportSend,
  supportThread,
  supportTyping,
  UserInfo,
} from "@fairtick/protocol";
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { currentLanguage } from "../shared/i18n.ts";
import { storedMemberId } from "./member-id.ts";
import { keys, queryClient } from "./queries.ts";
import { ask } from "./transport.ts";

export type { SupportMessage };
export type SupportThread = Output<typeof supportThread>;
type Pages = InfiniteData<SupportThread, string | undefined>;

/** A message from the member. The client id is created before the first try and reused by every retry. */
export interface Saying {
  readonly clientId: string;
  readonly text?: string;
  readonly fileId?: string;
  readonly topic?: NonNullable<SupportMessage["topic"]>;
  readonly amount?: string;
}

/** The chat with customer service, newest first, in pages, kept up to date by the stream. */
export function useSupportThread(): UseInfiniteQueryResult<Pages> {
  return useInfiniteQuery({
    queryKey: [...keys.support, currentLanguage().code],
    queryFn: ({ pageParam }) =>
      ask<typeof supportThread>("support/thread", {
        limit: 30,
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ messages }) => messages.nextCursor ?? undefined,
    staleTime: 0,
  });
}

/** Sends a message and shows it in the chat, unless someone else has logged in since. */
export async function sayToSupport(saying: Saying): Promise<void> {
  const member = storedMemberId();
  const message = await ask<typeof supportSend>("support/send", { ...saying });
  if (member === storedMemberId()) takeSupport(message);
}

/** Stores a message from the stream or a call. A known one changes nothing. */
export function takeSupport(message: SupportMessage): void {
  if (message.from === "operator") heardTyping(0);
  let isNew = true;
  change((pages) => {
    const [first, ...rest] = pages;
    if (first === undefined) return pages;
    // An operator who answers is online.
    const present = message.from === "operator" ? { ...first, operatorOnline: true } : first;
    const isKnown = pages.some(({ messages }) =>
      messages.items.some(({ messageId }) => messageId === message.messageId),
    );
    if (isKnown) isNew = false;
    if (isKnown) return pages;
    const { items } = first.messages;
    return [
      {
        ...present,
        messages: {
          ...first.messages,
          items: [message, ...items].toSorted((one, other) => other.createdAt - one.createdAt),
        },
      },
      ...rest,
    ];
  });
  if (message.from === "operator" && isNew) countUnread((unread) => unread + 1);
}

/** Marks messages as read: the operators have read all so far, or the member has on another device. */
export function takeSupportRead(from: "member" | "operator", at: number): void {
  if (from === "member") return countUnread(() => 0);
  change((pages) =>
    pages.map((page) => ({
      ...page,
      messages: {
        ...page.messages,
        items: page.messages.items.map((message) =>
          message.from === "member" && message.readAt === null ? { ...message, readAt: at } : message,
        ),
      },
    })),
  );
}

function change(to: (pages: readonly SupportThread[]) => readonly SupportThread[]): void {
  queryClient.setQueriesData<Pages>({ queryKey: keys.support }, (before) =>
    before === undefined ? before : { ...before, pages: [...to(before.pages)] },
  );
}

function countUnread(to: (unread: number) => number): void {
  queryClient.setQueryData<UserInfo>(keys.info, (info) =>
    info === undefined ? info : { ...info, unread: { ...info.unread, support: to(info.unread.support) } },
  );
}

/** Marks the chat as read while the member sees it. */
export async function markSupportRead(): Promise<void> {
  countUnread(() => 0);
  await ask<typeof supportMarkRead>("support/markRead", {});
}

const SAY_EVERY_MS = 4_000;
let saidAt = Number.NEGATIVE_INFINITY;

/** Tells customer service that the member is typing, at intervals. A failed call is harmless. */
export function sayTyping(): void {
  const now = performance.now();
  if (now - saidAt < SAY_EVERY_MS) return;
  saidAt = now;
  ask<typeof supportTyping>("support/typing", {}).catch(() => undefined);
}

const TYPING_MS = 12_000;
let isTyping = false;
let typingTimer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();

/** Shows that customer service is typing, until `forMs` pass without another sign; 0 stops it. */
export function heardTyping(forMs = TYPING_MS): void {
  clearTimeout(typingTimer);
  isTyping = forMs > 0;
  if (isTyping) typingTimer = setTimeout(() => heardTyping(0), forMs);
  for (const watcher of watchers) watcher();
}

export function useSupportTyping(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isTyping,
  );
}
