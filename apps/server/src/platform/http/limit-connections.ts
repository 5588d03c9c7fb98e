import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { clientAddress } from "../client-address.ts";

/** How many sockets a port may hold. */
export interface ConnectionCaps {
  /** In total. */
  readonly total: number;
  /** Of one customer: an IPv4 address or an IPv6 /64. Null behind a proxy of ours, which all of them come through. */
  readonly perClient: number | null;
  /** Told the address of each socket that is closed at once. */
  readonly onRefused?: (ip: string) => void;
}

/** Above the total a few more are let in for this long, to be told of the state of health and nothing else. */
const RESERVED = 32;
const RESERVED_MS = 5_000;

/** Descriptors that no port may use up: the database's, the public log's files, the console, metrics, uploads. */
const KEPT_DESCRIPTORS = 1_024;
const DESCRIPTORS_WHERE_UNKNOWN = 8_192;

/**
 * Sockets of a member's port where nothing else is set: what the process may open, less what the house itself needs.
 * `descriptors`: the process's limit of open files.
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

/** The sockets of a port, counted. */
export interface LimitedConnections {
  readonly open: number;
  /** Sockets closed at once since the start, because a cap was reached. */
  readonly refused: number;
}

const reserved = new WeakSet<Socket>();

/** Whether a socket was let in for health alone, by whichever port. */
export function isReserved(socket: Socket): boolean {
  return reserved.has(socket);
}

/** Answers 503 to whoever comes on a reserved socket and asks for anything but the state of health. */
export function keepReservedForHealth(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!isReserved(request.raw.socket) || request.url.startsWith("/health/")) return done();
    return reply.code(503).header("connection", "close").header("retry-after", "5").send();
  });
}

/**
 * Closes every socket above a cap at once, so that somebody who opens thousands and stays silent takes descriptors from
 * nobody else. The last `RESERVED` above the total are for probes of health.
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
