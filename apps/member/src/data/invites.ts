import type { inviteInfo, inviteList, Output } from "@fairtick/protocol";
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { ask } from "./transport.ts";

export type Invite = Output<typeof inviteInfo>;
export type InvitedPage = Output<typeof inviteList>;

/** The member's invite code and link, and the rewards earned with it. */
export function useInvite(): UseQueryResult<Invite> {
  return useQuery({ queryKey: ["member", "invite"], queryFn: () => ask<typeof inviteInfo>("invite/info", {}) });
}

/** Members who joined with it, newest first. */
export function useInvited(): UseInfiniteQueryResult<InfiniteData<InvitedPage, string | undefined>> {
  return useInfiniteQuery({
    queryKey: ["member", "invited"],
    queryFn: ({ pageParam }) =>
      ask<typeof inviteList>("invite/list", { limit: 30, ...(pageParam !== undefined && { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}
