import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { clientAddress } from "../client-address.ts";

/** How many sockets a port may have. */
export interface ConnectionCaps {
  /** In total. */
  readonly total: number;
  /** For one client: an IPv4 address or an IPv6 /64. Null behind our own proxy, through which all clients come. */
  readonly perClient: number | null;
  /** Called with the address of each socket that is refused. */
  readonly onRefused?: (ip: string) => void;
}

/** Sockets above the total that are accepted for a short time, for health checks only. */
const RESERVED = 32;
const RESERVED_MS = 5_000;

/** File descriptors that ports must leave for the database, the public log's files, the console, metrics and uploads. */
const KEPT_DESCRIPTORS = 1_024;
const DESCRIPTORS_WHERE_UNKNOWN = 8_192;

/**
 * Returns the default cap of the members' port: the process's limit on open files (`descriptors`) less what the house itself
 * needs.
 */
export function socketsMax(descriptors = descriptorsMax()): number {
  return Math.max(256, Math.floor((descriptors - KEPT_DESCRIPTORS) * 0.9));
}

function descriptorsMax(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === undefined || soft === "unlimited" ? DESCRIPTORS_WHERE_UNKNOWN : Number(soft);
  } catch {
    return DESCRIPTORS_WHERE_UNKNOWN;
  }
}

/** Counts of a port's sockets. */
export interface LimitedConnections {
  readonly open: number;
  /** Sockets refused since the start because a cap was reached. */
  readonly refused: number;
}

const reserved = new WeakSet<Socket>();

/** Whether a socket was accepted for health checks only, on any port. */
export function isReserved(socket: Socket): boolean {
  return reserved.has(socket);
}

/** Answers 503 to requests on a reserved socket for anything but a health check. */
export function keepReservedForHealth(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!isReserved(request.raw.socket) || request.url.startsWith("/health/")) return done();
    return reply.code(503).header("connection", "close").header("retry-after", "5").send();
  });
}

/**
 * Closes every socket above a cap at once, so that a client that opens thousands of silent sockets takes descriptors from no one
 * else. `RESERVED` more above the total are for health checks.
 */
export function limitConnections(server: Server, { total, perClient, onRefused }: ConnectionCaps): LimitedConnections {
  const perAddress = new Map<string, number>();
  let open = 0;
  let refused = 0;

  server.on("connection", (socket) => {
    const client = clientAddress(socket.remoteAddress ?? "");
    const held = perAddress.get(client) ?? 0;
    if (open >= total + RESERVED || (perClient !== null && held >= perClient)) {
      refused++;
      onRefused?.(socket.remoteAddress ?? "");
      socket.destroy();
      return;
    }
    if (open >= total) {
      reserved.add(socket);
      const ended = setTimeout(() => socket.destroy(), RESERVED_MS).unref();
      socket.once("close", () => clearTimeout(ended));
    }
    open++;
    perAddress.set(client, held + 1);
    socket.once("close", () => {
      open--;
      const left = (perAddress.get(client) ?? 1) - 1;
      if (left > 0) perAddress.set(client, left);
      else perAddress.delete(client);
    });
  });
  return {
    get open() {
      return open;
    },
    get refused() {
      return refused;
    },
  };
}
