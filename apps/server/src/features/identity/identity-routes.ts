import { accept, type MemberId } from "@fairtick/domain";
import { identityStatus, identitySubmitBasic, identitySubmitDocuments } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { readIdentity } from "./identity-status.ts";
import { submitBasic } from "./submit-basic.ts";
import { type DocumentContext, submitDocuments } from "./submit-documents.ts";

/** Announces on the bus that a member's identity check has changed, so that their sockets hear of it. */
export function announceIdentity({ bus }: Pick<Context, "bus">, memberId: MemberId): void {
  bus.publish("identities", { members: [memberId] });
  bus.publish("accounts", { members: [memberId] });
}

/** Routes by which members submit their identity and read its state. */
export function identityRoutes(context: DocumentContext & Pick<Context, "bus">): Route[] {
  return [
    route(identityStatus, ({ session }) => readIdentity(context, session.memberId)),
    route(identitySubmitBasic, async ({ input, session, now }) => {
      const done = await submitBasic(context, session.memberId, input, now);
      if (!done.ok) return done;
      announceIdentity(context, session.memberId);
      return accept(await readIdentity(context, session.memberId));
    }),
    route(identitySubmitDocuments, async ({ input, session }) => {
      const done = await submitDocuments(context, session.memberId, input);
      if (!done.ok) return done;
      announceIdentity(context, session.memberId);
      return accept(await readIdentity(context, session.memberId));
    }),
  ];
}
