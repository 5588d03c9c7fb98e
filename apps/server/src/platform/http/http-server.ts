import type { Clock, Refusal } from "@fairtick/domain";
import { CALLS } from "@fairtick/protocol";
import { openApiDocument } from "@fairtick/protocol/openapi";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { Log } from "../log.ts";
import { createDeadlines } from "./deadlines.ts";
import { refusalOfFault } from "./faults.ts";
import { presentRefusal } from "./present.ts";
import { createRateLimits } from "./rate-limits.ts";
import { referencePage } from "./reference-page.ts";
import type { Route } from "./route.ts";
import { commonHeaders, pagePolicy } from "./security-headers.ts";
import type { Authenticate } from "./session.ts";
import { answerCall, languageOfRequest } from "./stations.ts";
import { serveApp } from "./static-files.ts";

/** Time-out of calls, socket, uploads and downloads. */
const TIMEOUT_MS = 60_000;
/** A form of text; larger ones get 413. */
const FORM_BYTES_MAX = 256 * 1024;

/** What `/health/ready` says: ready, or what is wrong, each in one line that an operator understands. */
export type Readiness = { readonly ready: boolean; readonly problems: readonly string[] };

export interface HttpServerOptions {
  readonly context: Pick<Context, "config" | "log" | "clock">;
  /** Every built call has one; a call with `built: false` needs none and answers NOT_BUILT. */
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly readiness: () => Promise<Readiness> | Readiness;
  /** Folder of the built member app; left out: calls only. */
  readonly appFolder?: string;
  /** Greatest upload in bytes, as app/config says it. */
  readonly uploadBytesMax?: number;
  /** How long a call may take; 60 s unless a test is shorter. */
  readonly timeoutMs?: number;
  /** Holds every answer against its schema and fails where it differs: for tests. */
  readonly checkAnswers?: boolean;
  /** Pages beside the calls: `/log`, `/fairness`, `/dev`. */
  readonly pages?: (app: FastifyInstance) => void;
}

/**
 * The edge of the member calls, not yet listening: `await app.listen({ host, port })`.
 * The stream attaches to `app.server`. Throws at once where a built call has no handler, or one has two.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { config, clock, log } = options.context;
  const app = fastify({
    logger: false,
    bodyLimit: FORM_BYTES_MAX,
    requestTimeout: TIMEOUT_MS,
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
  takeBodies(app, options.uploadBytesMax ?? FORM_BYTES_MAX);
  answerFaults(app, clock, log);

  const limits = createRateLimits(clock, config.rateLimitFactor);
  const deadlines = createDeadlines(options.timeoutMs ?? TIMEOUT_MS, () => clock.elapsedMs());
  app.addHook("onClose", (_app, done) => {
    deadlines.stop();
    done();
  });
  const stations = {
    deadlines,
    authenticate: options.authenticate,
    limits,
    clock,
    log,
    checkAnswers: options.checkAnswers ?? false,
  };
  for (const route of completeRoutes(options.routes)) {
    const path = `/client/${route.call.path}`;
    app.post(path, { onRequest: noStore }, answerCall(route, stations));
    app.route({
      method: ["GET", "PUT", "PATCH", "DELETE"],
      url: path,
      handler: (request, reply) => declineMethod(request, reply, clock),
    });
  }

  serveReference(app, config.publicUrl);
  serveHealth(app, options.readiness);
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
  const missing = CALLS.filter((call) => call.built && !byPath.has(call.path)).map((call) => call.path);
  if (missing.length > 0) throw new Error(`These calls have no handler: ${missing.join(", ")}`);
  return CALLS.map(
    (call) => byPath.get(call.path) ?? { call, handler: () => ({ ok: false, refusal: { error: "NOT_BUILT" } }) },
  );
}

function noStore(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.header("cache-control", "no-store");
  done();
}

/** Bodies arrive as bytes; the stations know which fields a call takes. */
function takeBodies(app: FastifyInstance, uploadBytesMax: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer" },
    (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body),
  );
  app.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer", bodyLimit: uploadBytesMax },
    (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body),
  );
}

function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^\/client\//, "").replace(/\?.*$/s, "");
}

/** What goes wrong before a call's stations: unknown paths, bodies that are too large or of another kind. */
function answerFaults(app: FastifyInstance, clock: Clock, log: Log): void {
  const decline = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal, status?: number) =>
    presentRefusal(reply, refusal, { lang: languageOfRequest(request), path: pathOf(request), clock }, status);

  app.setNotFoundHandler((request, reply) => decline(request, reply, { error: "NOT_FOUND" }));
  app.setErrorHandler((fault, request, reply) => {
    const code = typeof fault === "object" && fault !== null && "code" in fault ? String(fault.code) : "";
    const status =
      typeof fault === "object" && fault !== null && "statusCode" in fault ? Number(fault.statusCode) : 500;
    if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
      const isUpload = request.headers["content-type"]?.startsWith("multipart/") ?? false;
      return isUpload
        ? decline(request, reply, { error: "FILE_TOO_LARGE", params: { max: "100MB" } })
        : decline(request, reply, { error: "FIELD_TOO_LONG", params: { field: "" } }, 413);
    }
    if (status >= 400 && status < 500)
      return decline(request, reply, { error: "FIELD_INVALID", params: { field: "" } });
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

function serveHealth(app: FastifyInstance, readiness: HttpServerOptions["readiness"]): void {
  app.get("/health/live", (_request, reply) => reply.header("cache-control", "no-store").send({ live: true }));
  app.get("/health/ready", async (_request, reply) => {
    const state = await readiness();
    return reply
      .code(state.ready ? 200 : 503)
      .header("cache-control", "no-store")
      .send(state);
  });
}
