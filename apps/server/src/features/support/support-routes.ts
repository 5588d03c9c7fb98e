import { supportMarkRead, supportSend, supportThread, supportTyping } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { readThread } from "./read-thread.ts";
import { readAsMember, sayToSupport } from "./say-to-support.ts";

export function supportRoutes(context: Pick<Context, "databases" | "config" | "clock" | "bus">): Route[] {
  return [
    route(supportThread, ({ input, session, lang }) => readThread(context, session.memberId, input, lang)),
    route(supportSend, ({ input, session }) => sayToSupport(context, session.memberId, input)),
    route(supportMarkRead, async ({ session }) => {
      await readAsMember(context, session.memberId);
      return null;
    }),
    route(supportTyping, ({ session }) => {
      context.bus.publish("support", {
        memberId: session.memberId,
        from: "member",
        what: "typing",
        messageId: null,
      });
      return null;
    }),
  ];
}
