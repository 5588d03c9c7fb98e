import type { Clock, Refusal } from "@fairtick/domain";
import { CALLS } from "@fairtick/protocol";
import { openApiDocument } from "@fairtick/protocol/openapi";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { HealthReport } from "../health.ts";
import type { Metrics } from "../metrics.ts";
import { boardOrigins } from "../witness-settings.ts";
import { createDeadlines, type Deadlines } from "./deadlines.ts";
import { createDeviceKeys } from "./device-keys.ts";
import { completeRoutes, createEdgeServer, noStore, pathOf } from "./edge-server.ts";
import { formCodec } from "./form.ts";
import { socketsMax } from "./limit-connections.ts";
import { answerMember, createMemberEdge, languageOfRequest, type MemberEdge } from "./member-edge.ts";
import { ownHosts } from "./own-hosts.ts";
import { presentRefusal } from "./present.ts";
import { referencePage } from "./reference-page.ts";
import type { Route } from "./route.ts";
import { pagePolicy } from "./security-headers.ts";
import { serveSecurityText } from "./security-text.ts";
import type { Authenticate } from "./session.ts";
import { serveApp } from "./static-files.ts";

/** Timeout of headers, calls and idle sockets, and of uploads and downloads without progress. */
const TIMEOUT_MS = 60_000;
/** An upload that makes progress may take this long. All other bodies have `TIMEOUT_MS`. */
const UPLOAD_MS_MAX = 30 * 60_000;
/** How much later than its call's timeout an idle socket is closed, so that the answer is sent first. */
const STALLED_MS = 5_000;
/** The most sockets from one address. An office or a carrier has many members, and a browser opens up to seven. */
const SOCKETS_PER_CLIENT = 1_000;
/** 100 MB. */
export const UPLOAD_BYTES_MAX = 104_857_600;
/** Paths of the calls that take a file. */
const UPLOADS: ReadonlySet<string> = new Set(CALLS.filter(({ file }) => file === "upload").map(({ path }) => path));

export interface HttpServerOptions {
  readonly context: Pick<Context, "config" | "log" | "clock">;
  /** Routes for all calls; null if this server answers none. */
  readonly routes: readonly Route[] | null;
  readonly authenticate: Authenticate;
  readonly health: () => HealthReport;
  /** The registry in which security events are counted. */
  readonly metrics?: Metrics | undefined;
  /** Folder of the built member app. Without it, only calls are served. */
  readonly appFolder?: string;
  /** The largest upload in bytes, 100 MB by default. Tests use less. */
  readonly uploadBytesMax?: number;
  /** How long a call may take, 60 s by default. Tests are shorter. */
  readonly timeoutMs?: number;
  /** The most sockets at once, by default as many as the file descriptors allow. Tests allow fewer. */
  readonly socketsMax?: number;
  /** Checks every answer against its schema and fails if it differs. For tests. */
  readonly checkAnswers?: boolean;
  /** Adds pages besides the calls: `/log`, `/fairness`, `/dev`. */
  readonly pages?: (app: FastifyInstance) => void;
}

/**
 * Creates the server of the member calls, which doesn't listen yet: `await app.listen({ host, port })`. The stream attaches to
 * `app.server`. Throws if a call has no handler or two.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { config, clock } = options.context;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const { app, parts } = createEdgeServer({
    context: options.context,
    side: "member",
    prefix: "client",
    codec: formCodec,
    metrics: options.metrics,
    hosts: ownHosts([config.publicUrl], config.allowedHosts),
    origins: () => [new URL(config.publicUrl).origin],
    socketsMax: options.socketsMax ?? socketsMax(),
    socketsPerClient: SOCKETS_PER_CLIENT * config.rateLimitFactor,
    timeoutMs,
    requestMsMax: UPLOAD_MS_MAX,
    socketIdleMs: timeoutMs + STALLED_MS,
    uploadBytesMax: options.uploadBytesMax ?? UPLOAD_BYTES_MAX,
    languageOf: languageOfRequest,
    refusalOfBody,
  });
  const deadlines = createDeadlines(timeoutMs, () => clock.elapsedMs());
  app.addHook("onClose", (_app, done) => {
    deadlines.stop();
    done();
  });
  limitBodies(app, deadlines);
  if (options.routes !== null) {
    const edge = createMemberEdge({
      ...parts,
      deviceKeys: createDeviceKeys(config.secret, "member", () => config.publicUrl),
      deadlines,
      authenticate: options.authenticate,
      checkAnswers: options.checkAnswers ?? false,
    });
    serveCalls(app, options.routes, edge);
    serveReference(app, config.publicUrl);
  }
  serveHealth(app, options.health);
  serveSecurityText(app, { contact: config.securityContact, publicUrl: config.publicUrl, now: () => clock.now() });
  if (options.appFolder !== undefined) serveApp(app, options.appFolder, boardOrigins(config));
  options.pages?.(app);
  return app;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Called once the body has arrived; null for uploads. */
    stopBodyTime: (() => void) | null;
  }
}

function serveCalls(app: FastifyInstance, routes: readonly Route[], edge: MemberEdge): void {
  for (const route of completeRoutes(routes, CALLS)) {
    const path = `/client/${route.call.path}`;
    app.post(path, { onRequest: noStore }, answerMember(route, edge));
    app.route({
      method: ["GET", "PUT", "PATCH", "DELETE"],
      url: path,
      handler: (request, reply) => declineMethod(request, reply, edge.clock),
    });
  }
}

/** Returns the refusal of a body that isn't a form or is too large. */
function refusalOfBody(request: FastifyRequest, code: string): { refusal: Refusal; status?: number } {
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return { refusal: { error: "FIELD_TOO_LONG", params: { field: "" } }, status: 413 };
  // For a call with an upload, a body of another type lacks the file.
  return UPLOADS.has(pathOf(request, "client"))
    ? { refusal: { error: "FIELD_MISSING", params: { field: "file" }, fields: { file: "FIELD_MISSING" } } }
    : { refusal: { error: "FIELD_INVALID", params: { field: "" } } };
}

/** Ends the socket of a body that doesn't arrive in time, on every path. Uploads have their own limit. */
function limitBodies(app: FastifyInstance, deadlines: Deadlines): void {
  app.decorateRequest("stopBodyTime", null);
  app.addHook("onRequest", (request, _reply, done) => {
    // A request that is answered or given up before its body was read stays watched, which is harmless.
    if (!UPLOADS.has(pathOf(request, "client")))
      request.stopBodyTime = deadlines.watch(() => {
        if (!request.raw.complete) request.raw.destroy();
      });
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    request.stopBodyTime?.();
    done();
  });
}

/** Refuses other methods, since calls are POSTs. */
function declineMethod(request: FastifyRequest, reply: FastifyReply, clock: Clock): FastifyReply {
  void reply.header("allow", "POST");
  return presentRefusal(
    reply,
    { error: "NOT_FOUND" },
    { lang: languageOfRequest(request), path: pathOf(request, "client"), clock },
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
