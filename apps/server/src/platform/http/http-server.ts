import type { Clock, Refusal } from "@fairtick/domain";
import { CALLS } from "@fairtick/protocol";
import { openApiDocument } from "@fairtick/protocol/openapi";
import { join } from "node:path";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { HealthReport } from "../health.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { createSecurityWatch, type SecurityWatch } from "../security-events.ts";
import { createDeadlines, type Deadlines, headerDeadline } from "./deadlines.ts";
import { endStalledSockets } from "./end-stalled-sockets.ts";
import { createDeviceKeys } from "./device-keys.ts";
import { refusalOfFault } from "./faults.ts";
import { presentRefusal } from "./present.ts";
import { keepReservedForHealth, limitConnections, socketsMax } from "./limit-connections.ts";
import { createRateLimits } from "./rate-limits.ts";
import { referencePage } from "./reference-page.ts";
import { guardRequests } from "./guard-requests.ts";
import { ownHosts } from "./own-hosts.ts";
import type { Route } from "./route.ts";
import { commonHeaders, pagePolicy } from "./security-headers.ts";
import { shownPath } from "./shown-names.ts";
import { serveSecurityText } from "./security-text.ts";
import type { Authenticate } from "./session.ts";
import { answerCall, languageOfRequest } from "./stations.ts";
import { serveApp } from "./static-files.ts";

/** Time-out of headers, calls, socket, uploads and downloads: of an upload without progress. */
const TIMEOUT_MS = 60_000;
/** An upload that goes on may take this long; every other body has `TIMEOUT_MS`. */
const UPLOAD_MS_MAX = 30 * 60_000;
/** A socket on which nothing moves is closed this much later than its call is answered, so that the answer comes first. */
const STALLED_MS = 5_000;
/** Sockets of one address: an office or a carrier is many members, and a browser opens up to seven. */
const SOCKETS_PER_CLIENT = 1_000;
/** 100 MB. */
export const UPLOAD_BYTES_MAX = 104_857_600;
/** Paths of the calls that take a file. */
const UPLOADS: ReadonlySet<string> = new Set(CALLS.filter(({ file }) => file === "upload").map(({ path }) => path));
/** A form of text; larger ones get 413. */
const FORM_BYTES_MAX = 256 * 1024;

export interface HttpServerOptions {
  readonly context: Pick<Context, "config" | "log" | "clock">;
  /** Every call has one. Null: no calls are answered here. */
  readonly routes: readonly Route[] | null;
  readonly authenticate: Authenticate;
  readonly health: () => HealthReport;
  /** Where security events are counted. */
  readonly metrics?: Metrics | undefined;
  /** Folder of the built member app; left out: calls only. */
  readonly appFolder?: string;
  /** Greatest upload in bytes; 100 MB unless a test is smaller. */
  readonly uploadBytesMax?: number;
  /** How long a call may take; 60 s unless a test is shorter. */
  readonly timeoutMs?: number;
  /** Sockets at once; as many as the descriptors allow unless a test allows fewer. */
  readonly socketsMax?: number;
  /** Holds every answer against its schema and fails where it differs: for tests. */
  readonly checkAnswers?: boolean;
  /** Pages beside the calls: `/log`, `/fairness`, `/dev`. */
  readonly pages?: (app: FastifyInstance) => void;
}

/**
 * The edge of the member calls, not yet listening: `await app.listen({ host, port })`.
 * The stream attaches to `app.server`. Throws at once where a call has no handler, or one has two.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { config, clock, log } = options.context;
  const app = fastify({
    logger: false,
    bodyLimit: FORM_BYTES_MAX,
    requestTimeout: UPLOAD_MS_MAX,
    http: headerDeadline(options.timeoutMs ?? TIMEOUT_MS),
    connectionTimeout: (options.timeoutMs ?? TIMEOUT_MS) + STALLED_MS,
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
  const security = createSecurityWatch("member", { log, secret: config.secret, clock, metrics: options.metrics });
  guardRequests(app, {
    hosts: ownHosts([config.publicUrl], config.allowedHosts),
    origins: () => [new URL(config.publicUrl).origin],
    onRefused: (reason, what, ip) => security.note("request_turned_away", { reason, what, ip }),
  });
  limitConnections(app.server, {
    total: options.socketsMax ?? socketsMax(),
    perClient: config.trustedProxies > 0 ? null : SOCKETS_PER_CLIENT * config.rateLimitFactor,
    onRefused: (ip) => security.note("socket_refused", { ip }),
  });
  endStalledSockets(app.server, options.timeoutMs ?? TIMEOUT_MS, () => clock.elapsedMs());
  keepReservedForHealth(app);
  takeBodies(app);
  answerFaults(app, { clock, log, security });

  const limits = createRateLimits(clock, config.rateLimitFactor);
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const deadlines = createDeadlines(timeoutMs, () => clock.elapsedMs());
  app.addHook("onClose", (_app, done) => {
    deadlines.stop();
    done();
  });
  limitBodies(app, deadlines);
  const stations = {
    security,
    deviceKeys: createDeviceKeys(config.secret, "member", () => config.publicUrl),
    deadlines,
    uploads: {
      folder: join(config.dataDir, "files", "arriving"),
      bytesMax: options.uploadBytesMax ?? UPLOAD_BYTES_MAX,
      idleMsMax: timeoutMs,
    },
    authenticate: options.authenticate,
    limits,
    clock,
    log,
    checkAnswers: options.checkAnswers ?? false,
  };
  for (const route of options.routes === null ? [] : completeRoutes(options.routes)) {
    const path = `/client/${route.call.path}`;
    const answer = answerCall(route, stations);
    app.post(path, { onRequest: noStore }, answer);
    app.route({
      method: ["GET", "PUT", "PATCH", "DELETE"],
      url: path,
      handler: (request, reply) => declineMethod(request, reply, clock),
    });
  }

  if (options.routes !== null) serveReference(app, config.publicUrl);
  serveHealth(app, options.health);
  serveSecurityText(app, { contact: config.securityContact, publicUrl: config.publicUrl, now: () => clock.now() });
  if (options.appFolder !== undefined) serveApp(app, options.appFolder);
  options.pages?.(app);
  return app;
}

/** Handlers for all calls of the protocol, or an error that names what is missing. */
function completeRoutes(routes: readonly Route[]): Route[] {
  const byPath = new Map<string, Route>();
  for (const route of routes) {
    if (byPath.has(route.call.path)) throw new Error(`The call ${route.call.path} has two handlers`);
    byPath.set(route.call.path, route);
  }
  const missing = CALLS.filter((call) => !byPath.has(call.path)).map((call) => call.path);
  if (missing.length > 0) throw new Error(`These calls have no handler: ${missing.join(", ")}`);
  return [...byPath.values()];
}

function noStore(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.header("cache-control", "no-store");
  done();
}

/** Forms arrive as bytes, and the stations know which fields a call takes; uploads are read by the stations as they come. */
function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer" },
    (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body),
  );
  app.addContentTypeParser("multipart/form-data", (_request, _body, done) => done(null));
}

/** A body that does not arrive in time ends its socket, on every path; uploads have a time of their own. */
function limitBodies(app: FastifyInstance, deadlines: Deadlines): void {
  const arriving = new WeakMap<FastifyRequest, () => void>();
  const arrived = (request: FastifyRequest) => {
    arriving.get(request)?.();
    arriving.delete(request);
  };
  app.addHook("onRequest", (request, _reply, done) => {
    if (!UPLOADS.has(pathOf(request)))
      arriving.set(
        request,
        deadlines.watch(() => void request.raw.destroy()),
      );
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    arrived(request);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    arrived(request);
    done();
  });
  // A client that gives up before it is answered gets no response to hook onto.
  app.addHook("onRequestAbort", (request, done) => {
    arrived(request);
    done();
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^\/client\//, "").replace(/\?.*$/s, "");
}

/** What goes wrong before a call's stations: unknown paths, bodies that are too large or of another kind. */
function answerFaults(
  app: FastifyInstance,
  { clock, log, security }: { readonly clock: Clock; readonly log: Log; readonly security: SecurityWatch },
): void {
  const decline = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal, status?: number) =>
    presentRefusal(reply, refusal, { lang: languageOfRequest(request), path: pathOf(request), clock }, status);

  app.setNotFoundHandler((request, reply) => {
    security.note("path_unknown", { path: shownPath(request.url), ip: request.ip });
    return decline(request, reply, { error: "NOT_FOUND" });
  });
  app.setErrorHandler((fault, request, reply) => {
    const code = typeof fault === "object" && fault !== null && "code" in fault ? String(fault.code) : "";
    const status =
      typeof fault === "object" && fault !== null && "statusCode" in fault ? Number(fault.statusCode) : 500;
    if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
      return decline(request, reply, { error: "FIELD_TOO_LONG", params: { field: "" } }, 413);
    if (status >= 400 && status < 500) {
      // A body of another kind than an upload's has no file in it.
      return UPLOADS.has(pathOf(request))
        ? decline(request, reply, {
            error: "FIELD_MISSING",
            params: { field: "file" },
            fields: { file: "FIELD_MISSING" },
          })
        : decline(request, reply, { error: "FIELD_INVALID", params: { field: "" } });
    }
    return decline(request, reply, refusalOfFault(fault, pathOf(request), log));
  });
}

/** Calls are POSTs. */
function declineMethod(request: FastifyRequest, reply: FastifyReply, clock: Clock): FastifyReply {
  void reply.header("allow", "POST");
  return presentRefusal(
    reply,
    { error: "NOT_FOUND" },
    { lang: languageOfRequest(request), path: pathOf(request), clock },
    405,
  );
}

function serveReference(app: FastifyInstance, publicUrl: string): void {
  const document = openApiDocument(publicUrl);
  const json = JSON.stringify(document, null, 2);
  const page = referencePage(document);
  const policy = pagePolicy(page);
  app.get("/openapi.json", (_request, reply) =>
    reply.header("access-control-allow-origin", "*").type("application/json; charset=utf-8").send(json),
  );
  app.get("/docs", (_request, reply) =>
    reply.header("content-security-policy", policy).type("text/html; charset=utf-8").send(page),
  );
}

function serveHealth(app: FastifyInstance, health: () => HealthReport): void {
  app.get("/health/live", (_request, reply) => reply.header("cache-control", "no-store").send({ live: true }));
  app.get("/health/ready", (_request, reply) => {
    const { ready, accepting, degraded } = health();
    const said = degraded.map(({ part, since, cause }) => ({
      part,
      since: new Date(Number(since)).toISOString(),
      cause,
    }));
    return reply
      .code(ready ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ ready, accepting, degraded: said });
  });
}
