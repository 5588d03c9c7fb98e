import type { Notice, noticeDetail, noticeList, noticeMarkRead, Output, UserInfo } from "@fairtick/protocol";
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { currentLanguage } from "../shared/i18n.ts";
import type { Search } from "../shared/navigation.tsx";
import { keys, queryClient } from "./queries.ts";
import { useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

export type { Notice };
export type NoticeKind = Notice["kind"];
export type NoticePage = Output<typeof noticeList>;
export type WholeNotice = Output<typeof noticeDetail>;

/** Returns a query key by language. A member's read marks are their own; a visitor's announcements survive a login. */
function keyOf(loggedIn: boolean, ...rest: readonly string[]): readonly string[] {
  const { code } = currentLanguage();
  return loggedIn ? [...keys.memberNotices, code, ...rest] : [...keys.notices, code, ...rest];
}

/** Announcements, or the member's own messages, newest first, in pages. */
export function useNotices(kind: NoticeKind): UseInfiniteQueryResult<InfiniteData<NoticePage, string | undefined>> {
  const loggedIn = useLoggedIn();
  return useInfiniteQuery({
    queryKey: keyOf(loggedIn, kind),
    queryFn: ({ pageParam }) =>
      ask<typeof noticeList>("notice/list", {
        kind,
        limit: 20,
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: loggedIn || kind === "announcement",
    // A withdrawn notice disappears the next time the list is opened.
    staleTime: 0,
  });
}

/** The newest announcement, for a line on the home screen; null if there is none, undefined until loaded. */
export function useNewestAnnouncement(): Notice | null | undefined {
  const loggedIn = useLoggedIn();
  const query = useQuery({
    queryKey: keyOf(loggedIn, "newest"),
    queryFn: () => ask<typeof noticeList>("notice/list", { kind: "announcement", limit: 1 }),
    staleTime: 60_000,
  });
  return query.isPending ? undefined : (query.data?.items[0] ?? null);
}

/** One notice with its text. */
export function useNotice(noticeId: string): UseQueryResult<WholeNotice> {
  const loggedIn = useLoggedIn();
  return useQuery({
    queryKey: keyOf(loggedIn, "one", noticeId),
    queryFn: () => ask<typeof noticeDetail>("notice/detail", { noticeId }),
    enabled: noticeId !== "",
    staleTime: 60_000,
  });
}

/** Returns which tab of the notices to open: messages if any of them is unread. */
export function noticesSearch(unread: UserInfo["unread"] | undefined): Search {
  return unread !== undefined && unread.messages > 0 ? { kind: "message" } : {};
}

/** Marks a notice as read, in the cache at once. A failed call is harmless, because the next reload corrects it. */
export async function markNoticeRead(noticeId: string, kind: NoticeKind): Promise<void> {
  queryClient.setQueryData<UserInfo>(keys.info, (info) => {
    if (info === undefined) return info;
    const { notices, messages } = info.unread;
    const unread = {
      ...info.unread,
      notices: Math.max(0, notices - 1),
      messages: kind === "message" ? Math.max(0, messages - 1) : messages,
    };
    return { ...info, unread };
  });
  await ask<typeof noticeMarkRead>("notice/markRead", { noticeId });
  await refreshNotices();
}

/** Reloads every list and the unread count after a notice came or was read. */
export async function refreshNotices(): Promise<void> {
  await Promise.all(
    [keys.notices, keys.memberNotices, keys.info].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

/** Removes a notice that is no longer shown. A screen that has it open reloads and learns that it is gone. */
export async function forgetNotice(noticeId: string): Promise<void> {
  await queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey.at(-1) === noticeId });
  await refreshNotices();
}
