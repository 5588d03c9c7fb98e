import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OwnHosts } from "./own-hosts.ts";
import { isLoopback } from "./own-hosts.ts";
import { decodedPath, shownHost, shownOrigin, shownPath } from "./shown-names.ts";

/** Why a request was refused before anything else looked at it. */
export type TurnedAway = "hosts" | "host" | "origin" | "developer";

export interface GuardOptions {
  readonly hosts: OwnHosts;
  /** Returns origins of this server's own pages in addition to a request's own host: behind a proxy, the public address. */
  readonly origins: () => readonly string[];
  /** Counts and logs a refusal. `what` is the foreign name or the path, shortened and without personal data. */
  readonly onRefused: (reason: TurnedAway, what: string, ip: string) => void;
}

const NOT_SAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const DEVELOPER_PAGE = /^\/+dev(\/|$|\?)/i;

/**
 * Refuses requests that no page of ours sends, on every path of a server: a Host header with a foreign name (421) or sent twice
 * (400), a change requested by a page of another origin (403), and developer pages requested from another machine (404, as if
 * they didn't exist).
 */
export function guardRequests(app: FastifyInstance, { hosts, origins, onRefused }: GuardOptions): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { host, origin } = request.raw.headers;
    if (countOf(request.raw.rawHeaders, "host") > 1) {
      onRefused("hosts", shownHost(host), request.ip);
      return turnAway(reply, 400, "A request names one host. Send one Host header.");
    }
    if (!hosts(host, request.raw.socket.localAddress)) {
      onRefused("host", shownHost(host), request.ip);
      const sentence = "This server does not answer to that name. Its operator can add the name to ALLOWED_HOSTS.";
      return turnAway(reply, 421, sentence);
    }
    if (NOT_SAFE.has(request.method) && !isOwnOrigin(request, origins())) {
      onRefused("origin", shownOrigin(origin), request.ip);
      return turnAway(reply, 403, "This request comes from a page of another site.");
    }
    if (DEVELOPER_PAGE.test(decodedPath(request.url)) && !isFromThisMachine(request)) {
      onRefused("developer", shownPath(request.url), request.ip);
      return turnAway(reply, 404, "Not found.");
    }
    done();
    return undefined;
  });
}

/**
 * Whether a request is from our own page or from a program. Browsers name the requesting page; programs don't. A form of a page
 * that sends no referrer, as ours don't, comes from "null", like one of a sandboxed frame: only the former is of the same origin.
 */
function isOwnOrigin({ raw }: FastifyRequest, origins: readonly string[]): boolean {
  const { host, origin } = raw.headers;
  const site = raw.headers["sec-fetch-site"];
  if (origin === undefined) return site !== "cross-site";
  if (origin === "null") return site === "same-origin";
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  return page.host === host || origins.includes(page.origin);
}

/**
 * Whether a request is from this machine, because developer pages show passwords, codes and keys. The connection has to come from
 * this machine and the Host header has to name it. A proxy on this machine is recognized because it passes on a public name or a
 * forwarding header.
 */
function isFromThisMachine({ raw }: FastifyRequest): boolean {
  const { socket, headers } = raw;
  // Requests that tests inject have no connection.
  const isNear = socket.remoteAddress === undefined || isLoopback(socket.remoteAddress);
  const name = (headers.host ?? "").replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  const isAskedForAnother = ["x-forwarded-for", "x-forwarded-host", "forwarded", "via"].some(
    (proxied) => proxied in headers,
  );
  return isNear && (name === "localhost" || isLoopback(name)) && !isAskedForAnother;
}

function turnAway(reply: FastifyReply, status: number, sentence: string): FastifyReply {
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ code: status, msg: sentence, data: { error: status === 404 ? "NOT_FOUND" : "FORBIDDEN" } }));
}

function countOf(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === wanted) count += 1;
  return count;
}
