import { join } from "node:path";
import type { Refusal } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Call } from "@fairtick/protocol";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { Metrics } from "../metrics.ts";
import { createSecurityWatch, type SecurityWatch } from "../security-events.ts";
import type { Codec, EdgeParts } from "./call-edge.ts";
import { headerDeadline } from "./deadlines.ts";
import { endStalledSockets } from "./end-stalled-sockets.ts";
import { refusalOfFault } from "./faults.ts";
import { guardRequests } from "./guard-requests.ts";
import { keepReservedForHealth, limitConnections } from "./limit-connections.ts";
import type { OwnHosts } from "./own-hosts.ts";
import { presentRefusal } from "./present.ts";
import { createRateLimits } from "./rate-limits.ts";
import { commonHeaders } from "./security-headers.ts";
import { shownPath } from "./shown-names.ts";

/** The largest message without a file. */
export const BODY_BYTES_MAX = 256 * 1024;

export interface EdgeServerOptions {
  readonly context: Pick<Context, "config" | "log" | "clock">;
  readonly side: "member" | "operator";
  readonly prefix: "client" | "operator";
  readonly codec: Codec;
  /** The registry in which security events are counted. */
  readonly metrics?: Metrics | undefined;
  readonly hosts: OwnHosts;
  /** Returns the origins of this server's own pages. */
  readonly origins: () => readonly string[];
  /** The most sockets at once in total. */
  readonly socketsMax: number;
  readonly socketsPerClient: number;
  /** How long headers, a silent socket and an upload without progress may take. */
  readonly timeoutMs: number;
  /** How long a request may take to arrive. */
  readonly requestMsMax: number;
  /** How long a socket may be idle under a request. */
  readonly socketIdleMs: number;
  /** The largest upload in bytes. */
  readonly uploadBytesMax: number;
  readonly languageOf: (request: FastifyRequest) => LanguageCode;
  /** Returns the refusal of a body that isn't a message of this edge. `code` is Fastify's. `status` overrides the refusal's own. */
  readonly refusalOfBody: (request: FastifyRequest, code: string) => { refusal: Refusal; status?: number };
}

/** A server without calls yet, and what their stations need. */
export interface EdgeServer {
  readonly app: FastifyInstance;
  readonly parts: EdgeParts;
}

/** Creates what both edges have in common: headers, guards, limits on sockets, types of bodies and the answer to faults. */
export function createEdgeServer(options: EdgeServerOptions): EdgeServer {
  const { config, clock, log } = options.context;
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: options.requestMsMax,
    http: headerDeadline(options.timeoutMs),
    connectionTimeout: options.socketIdleMs,
    keepAliveTimeout: 72_000,
    trustProxy: config.trustedProxies > 0 && ((_address: string, hop: number) => hop < config.trustedProxies),
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });
  const headers = commonHeaders(config.deployment);
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  const security = createSecurityWatch(options.side, { log, secret: config.secret, clock, metrics: options.metrics });
  guardRequests(app, {
    hosts: options.hosts,
    origins: options.origins,
    onRefused: (reason, what, ip) => security.note("request_turned_away", { reason, what, ip }),
  });
  limitConnections(app.server, {
    total: options.socketsMax,
    perClient: config.trustedProxies > 0 ? null : options.socketsPerClient,
    onRefused: (ip) => security.note("socket_refused", { ip }),
  });
  endStalledSockets(app.server, options.timeoutMs, () => clock.elapsedMs());
  keepReservedForHealth(app);
  takeBodies(app, options.codec);
  answerFaults(app, security, options);
  const uploads = {
    folder: join(config.dataDir, "files", "arriving"),
    bytesMax: options.uploadBytesMax,
    idleMsMax: options.timeoutMs,
  };
  return { app, parts: { security, limits: createRateLimits(clock, config.rateLimitFactor), uploads, clock, log } };
}

/** Accepts bodies as bytes. The stations parse them, since they know the call's fields, and read uploads as they arrive. */
function takeBodies(app: FastifyInstance, { contentType }: Codec): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    contentType,
    { parseAs: "buffer" },
    (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body),
  );
  app.addContentTypeParser("multipart/form-data", (_request, _body, done) => done(null));
}

/** Answers what goes wrong before a call's stations: unknown paths, and bodies that are too large or of another type. */
function answerFaults(app: FastifyInstance, security: SecurityWatch, options: EdgeServerOptions): void {
  const { clock, log } = options.context;
  const decline = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal, status?: number) => {
    const to = { lang: options.languageOf(request), path: pathOf(request, options.prefix), clock };
    return presentRefusal(reply, refusal, to, status);
  };
  app.setNotFoundHandler((request, reply) => {
    security.note("path_unknown", { path: shownPath(request.url), ip: request.ip });
    return decline(request, reply, { error: "NOT_FOUND" });
  });
  app.setErrorHandler((fault, request, reply) => {
    const { code = "", statusCode = 500 } = Object(fault) as { readonly code?: unknown; readonly statusCode?: unknown };
    const status = Number(statusCode);
    if (!(status >= 400 && status < 500))
      return decline(request, reply, refusalOfFault(fault, pathOf(request, options.prefix), log));
    const said = options.refusalOfBody(request, String(code));
    return decline(request, reply, said.refusal, said.status);
  });
}

/** Returns the path of a request's call: `order/place`. */
export function pathOf(request: FastifyRequest, prefix: string): string {
  const query = request.url.indexOf("?");
  const path = query === -1 ? request.url : request.url.slice(0, query);
  return path.startsWith(`/${prefix}/`) ? path.slice(prefix.length + 2) : path;
}

export function noStore(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.header("cache-control", "no-store");
  done();
}

/** Checks that all calls of an edge have exactly one handler. Throws an error that names missing and duplicate ones. */
export function completeRoutes<R extends { readonly call: Call }>(routes: readonly R[], calls: readonly Call[]): R[] {
  const byPath = new Map<string, R>();
  for (const route of routes) {
    if (byPath.has(route.call.path)) throw new Error(`The call ${route.call.path} has two handlers`);
    byPath.set(route.call.path, route);
  }
  const missing = calls.filter((call) => !byPath.has(call.path)).map((call) => call.path);
  if (missing.length > 0) throw new Error(`These calls have no handler: ${missing.join(", ")}`);
  return [...byPath.values()];
}
