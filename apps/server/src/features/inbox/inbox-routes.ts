import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendDevPage } from "../../platform/http/dev-page.ts";
import type { Inbox } from "./inbox.ts";
import { accountsPage, inboxPage } from "./inbox-page.ts";
import type { SeededOperator } from "../operators/index.ts";
import { SEEDED_ACCOUNTS } from "./seed-accounts.ts";

function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? "").includes("text/html");
}

/** Adds the routes `/dev/inbox` and `/dev/accounts`. Must not be called in a `live` deployment, which doesn't have them. */
export function addInboxRoutes(app: FastifyInstance, inbox: Inbox, operators: readonly SeededOperator[]): void {
  app.get("/dev/inbox", (request, reply) => {
    const { to } = request.query as { to?: string | string[] };
    // An unescaped plus sign arrives as a space, which no address starts with.
    const address = typeof to === "string" && to !== "" ? to.replace(/^ /, "+") : undefined;
    const messages = inbox.messages(address);
    void reply.header("cache-control", "no-store");
    return wantsPage(request) ? sendDevPage(reply, inboxPage(messages, address)) : reply.send(messages);
  });
  app.get("/dev/accounts", (request, reply) => {
    void reply.header("cache-control", "no-store");
    return wantsPage(request)
      ? sendDevPage(reply, accountsPage(SEEDED_ACCOUNTS, operators))
      : reply.send([...SEEDED_ACCOUNTS, ...operators]);
  });
}
