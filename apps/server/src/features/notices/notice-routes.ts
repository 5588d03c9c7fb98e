import { noticeDetail, noticeList, noticeMarkRead } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { listNotices, readNotice } from "./list-notices.ts";
import { markRead } from "./mark-read.ts";

export function noticeRoutes(context: Pick<Context, "databases">): Route[] {
  return [
    route(noticeList, ({ input, session, lang }) =>
      listNotices(context, { memberId: session?.memberId ?? null, lang }, input),
    ),
    route(noticeDetail, ({ input, session, lang }) =>
      readNotice(context, { memberId: session?.memberId ?? null, lang }, input.noticeId),
    ),
    route(noticeMarkRead, ({ input, session }) => markRead(context, session.memberId, input.noticeId)),
  ];
}
