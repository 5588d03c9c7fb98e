import { OPERATOR_CALLS } from "@fairtick/protocol/operator";
import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { createDeviceKeys } from "../http/device-keys.ts";
import { BODY_BYTES_MAX, completeRoutes, createEdgeServer, noStore } from "../http/edge-server.ts";
import { ownHosts } from "../http/own-hosts.ts";
import { serveApp } from "../http/static-files.ts";
import type { Metrics } from "../metrics.ts";
import { ownOrigins } from "./console-origins.ts";
import { jsonCodec } from "./json-body.ts";
import { answerOperator } from "./answer-operator.ts";
import { type AuthenticateOperator, createOperatorEdge } from "./operator-edge.ts";
import type { OperatorRoute } from "./operator-route.ts";

const TIMEOUT_MS = 60_000;
/** The most sockets, in total and from one address, since an office has one address. Operators are few. */
const SOCKETS_MAX = 512;
const SOCKETS_PER_CLIENT = 256;
/** 20 MB, which an office connection can send within that time. */
const UPLOAD_BYTES_MAX = 20 * 1024 * 1024;

export interface ConsoleServerOptions {
  readonly context: Pick<Context, "config" | "databases" | "clock" | "log">;
  /** Routes for all calls of the policy. */
  readonly routes: readonly OperatorRoute[];
  readonly authenticate: AuthenticateOperator;
  readonly consoleUrl: () => string;
  /** The registry in which security events are counted. */
  readonly metrics?: Metrics | undefined;
  /** The most sockets at once. Tests allow fewer. */
  readonly socketsMax?: number;
  /** How long a body may take to arrive, 60 s by default. Tests are shorter. */
  readonly timeoutMs?: number;
  /** Folder of the built console. Without it, only calls are served. */
  readonly appFolder?: string;
}

/** Creates the console's server, which doesn't listen yet. Throws if a call has no handler or two. */
export function createConsoleServer(options: ConsoleServerOptions): FastifyInstance {
  const { config, databases } = options.context;
  const { consoleUrl } = options;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const { app, parts } = createEdgeServer({
    context: options.context,
    side: "operator",
    prefix: "operator",
    codec: jsonCodec,
    metrics: options.metrics,
    // Ask for the address each time, since it is known only once the console listens.
    hosts: (host, localAddress) => ownHosts([consoleUrl()], config.allowedHosts)(host, localAddress),
    origins: () => ownOrigins(consoleUrl()),
    socketsMax: options.socketsMax ?? SOCKETS_MAX,
    socketsPerClient: SOCKETS_PER_CLIENT,
    timeoutMs,
    requestMsMax: timeoutMs,
    socketIdleMs: timeoutMs,
    uploadBytesMax: UPLOAD_BYTES_MAX,
    languageOf: () => "en",
    refusalOfBody: () => ({ refusal: { error: "FIELD_INVALID", params: { field: "" } } }),
  });
  const edge = createOperatorEdge({
    ...parts,
    databases,
    authenticate: options.authenticate,
    deviceKeys: createDeviceKeys(config.secret, "operator", consoleUrl),
    consoleUrl,
  });
  for (const route of completeRoutes(options.routes, OPERATOR_CALLS)) {
    const bodyLimit = route.call.bodyBytesMax ?? BODY_BYTES_MAX;
    app.post(`/operator/${route.call.path}`, { bodyLimit, onRequest: noStore }, answerOperator(route, edge));
  }
  app.get("/health/live", (_request, reply) => reply.header("cache-control", "no-store").send({ live: true }));
  if (options.appFolder !== undefined) serveApp(app, options.appFolder);
  return app;
}
