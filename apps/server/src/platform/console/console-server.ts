import { join } from "node:path";
import { OPERATOR_CALLS } from "@fairtick/protocol/operator";
import { fastify, type FastifyInstance, type FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { headerDeadline } from "../http/deadlines.ts";
import { endStalledSockets } from "../http/end-stalled-sockets.ts";
import { createDeviceKeys } from "../http/device-keys.ts";
import { refusalOfFault } from "../http/faults.ts";
import { presentRefusal } from "../http/present.ts";
import { createRateLimits } from "../http/rate-limits.ts";
import type { Metrics } from "../metrics.ts";
import { createSecurityWatch } from "../security-events.ts";
import { guardRequests } from "../http/guard-requests.ts";
import { keepReservedForHealth, limitConnections } from "../http/limit-connections.ts";
import { ownHosts } from "../http/own-hosts.ts";
import { commonHeaders } from "../http/security-headers.ts";
import { shownPath } from "../http/shown-names.ts";
import { serveApp } from "../http/static-files.ts";
import { ownOrigins } from "./console-origins.ts";
import type { OperatorRoute } from "./operator-route.ts";
import { answerOperator, type AuthenticateOperator } from "./operator-stations.ts";

const BODY_BYTES_MAX = 256 * 1024;
const TIMEOUT_MS = 60_000;
/** Operators are few; an office of them has one address. */
const SOCKETS_MAX = 512;
const SOCKETS_PER_CLIENT = 256;
/** 20 MB: what a desk sends within that time. */
const UPLOAD_BYTES_MAX = 20 * 1024 * 1024;

export interface ConsoleServerOptions {
  readonly context: Pick<Context, "config" | "databases" | "clock" | "log">;
  /** Every call of the policy has one. */
  readonly routes: readonly OperatorRoute[];
  readonly authenticate: AuthenticateOperator;
  readonly consoleUrl: () => string;
  /** Where security events are counted. */
  readonly metrics?: Metrics | undefined;
  /** Sockets at once, unless a test allows fewer. */
  readonly socketsMax?: number;
  /** How long a body may take; 60 s unless a test is shorter. */
  readonly timeoutMs?: number;
  /** Folder of the built console; left out: calls only. */
  readonly appFolder?: string;
}

/**
 * The back office's own origin, not yet listening. Throws at once where a call has no handler, has two, or where one
 * that needs a session is open.
 */
export function createConsoleServer(options: ConsoleServerOptions): FastifyInstance {
  const { config, clock, log } = options.context;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    http: headerDeadline(timeoutMs),
    trustProxy: config.trustedProxies > 0 && ((_address: string, hop: number) => hop < config.trustedProxies),
    forceCloseConnections: true,
  });
  const headers = commonHeaders(config.deployment);
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  const security = createSecurityWatch("operator", { log, secret: config.secret, clock, metrics: options.metrics });
  guardRequests(app, {
    hosts: (host, localAddress) => ownHosts([options.consoleUrl()], config.allowedHosts)(host, localAddress),
    origins: () => ownOrigins(options.consoleUrl()),
    onRefused: (reason, what, ip) => security.note("request_turned_away", { reason, what, ip }),
  });
  limitConnections(app.server, {
    total: options.socketsMax ?? SOCKETS_MAX,
    perClient: config.trustedProxies > 0 ? null : SOCKETS_PER_CLIENT,
    onRefused: (ip) => security.note("socket_refused", { ip }),
  });
  endStalledSockets(app.server, timeoutMs, () => clock.elapsedMs());
  keepReservedForHealth(app);
  // JSON is all that is taken: a form of another site cannot send it without asking first.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body),
  );
  // But for a call that brings a file: its stations read it, and only the console's own page can set their header.
  app.addContentTypeParser("multipart/form-data", (_request, _body, done) => done(null));
  const to = (path: string) => ({ lang: "en", path, clock }) as const;
  app.setNotFoundHandler((request, reply) => {
    security.note("path_unknown", { path: shownPath(request.url), ip: request.ip });
    return presentRefusal(reply, { error: "NOT_FOUND" }, to(request.url));
  });
  app.setErrorHandler((fault, request, reply) => {
    const code = typeof fault === "object" && fault !== null && "statusCode" in fault ? Number(fault.statusCode) : 500;
    if (code >= 400 && code < 500)
      return presentRefusal(reply, { error: "FIELD_INVALID", params: { field: "" } }, to(request.url));
    return presentRefusal(reply, refusalOfFault(fault, request.url, log), to(request.url));
  });

  const limits = createRateLimits(clock, config.rateLimitFactor);
  const stations = {
    context: options.context,
    authenticate: options.authenticate,
    limits,
    security,
    deviceKeys: createDeviceKeys(config.secret, "operator", options.consoleUrl),
    consoleUrl: options.consoleUrl,
    uploads: {
      folder: join(config.dataDir, "files", "arriving"),
      bytesMax: UPLOAD_BYTES_MAX,
      idleMsMax: timeoutMs,
    },
  };
  for (const route of completeRoutes(options.routes)) {
    app.post(
      `/operator/${route.call.path}`,
      {
        bodyLimit: route.call.bodyBytesMax ?? BODY_BYTES_MAX,
        onRequest: (_request, reply, done) => {
          void reply.header("cache-control", "no-store");
          done();
        },
      },
      answerOperator(route, stations),
    );
  }
  app.get("/health/live", (_request, reply) => reply.header("cache-control", "no-store").send({ live: true }));
  if (options.appFolder !== undefined) serveApp(app, options.appFolder);
  return app;
}

function completeRoutes(routes: readonly OperatorRoute[]): readonly OperatorRoute[] {
  const paths = routes.map(({ call }) => call.path);
  const twice = paths.filter((path, index) => paths.indexOf(path) !== index);
  if (twice.length > 0) throw new Error(`These operator calls have two handlers: ${twice.join(", ")}`);
  const missing = OPERATOR_CALLS.filter(({ path }) => !paths.includes(path)).map(({ path }) => path);
  if (missing.length > 0) throw new Error(`These operator calls have no handler: ${missing.join(", ")}`);
  return routes;
}
