import { formatId, type MemberId } from "@fairtick/domain";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { BusEvents } from "../../platform/bus.ts";
import { tokenOf } from "../../platform/console/index.ts";
import type { Context } from "../../platform/context.ts";
import { mayOpenSession } from "../operators/index.ts";

export const EVENTS_PATH = "/operator/support/events";
const CHECK_EVERY_MS = 30_000;
const STREAMS_MAX = 200;

/**
 * Adds the server-sent events that tell open consoles about changes in a chat. An event names the member but nothing
 * that was said. The console then fetches the chat by calls, which are in the audit trail. The stream ends with its
 * session and doesn't extend it.
 */
export function addSupportEvents(
  app: FastifyInstance,
  { databases, bus, clock, log }: Pick<Context, "databases" | "bus" | "clock" | "log">,
  consoleUrl: () => string,
): () => void {
  const open = new Map<FastifyReply, string>();

  const mayListen = (token: string) => mayOpenSession(databases.console, token, ["support", "auditor"], clock.now());
  const end = (reply: FastifyReply) => {
    open.delete(reply);
    reply.raw.end();
  };

  app.get(EVENTS_PATH, async (request, reply) => {
    const token = tokenOf(request.headers.cookie, consoleUrl());
    if (token === undefined || open.size >= STREAMS_MAX || !(await mayListen(token))) return reply.code(401).send();
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    reply.raw.write(": here\n\n");
    open.set(reply, token);
    request.raw.on("close", () => end(reply));
    return reply;
  });

  const stop = bus.subscribe("support", ({ memberId, from, what }: BusEvents["support"]) => {
    const data = JSON.stringify({ memberId: formatId("member", memberId as MemberId), from, what });
    for (const reply of open.keys()) reply.raw.write(`data: ${data}\n\n`);
  });
  const check = async () => {
    for (const [reply, token] of open) {
      if (await mayListen(token)) reply.raw.write(": still here\n\n");
      else end(reply);
    }
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => log.warn({ err: error }, "consoles' sessions could not be checked"));
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    stop();
    for (const reply of open.keys()) end(reply);
  };
}
