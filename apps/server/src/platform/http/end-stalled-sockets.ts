import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends every socket of a port whose client has read nothing of the waiting data for `timeoutMs`. Otherwise a client that reads
 * no answers would occupy the socket and keep the answer in memory. Node's own timeout is too lenient: it counts the first
 * bytes, which only fill the system's buffers, as progress and takes twice the time. `elapsedMs` must never go back; sockets are
 * checked every `lookMs`. Stops when the port closes.
 */
export function endStalledSockets(
  server: Server,
  timeoutMs: number,
  elapsedMs: () => number,
  lookMs = Math.min(5_000, timeoutMs / 4),
): void {
  const open = new Set<Socket>();
  const stalled = new Map<Socket, { readonly left: string; readonly sinceMs: number }>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      stalled.delete(socket);
    });
  });
  const timer = setInterval(() => {
    const now = elapsedMs();
    for (const socket of open) {
      if (socket.writableLength === 0) {
        stalled.delete(socket);
        continue;
      }
      const left = whatIsLeft(socket);
      const known = stalled.get(socket);
      if (known?.left !== left) stalled.set(socket, { left, sinceMs: now });
      else if (now - known.sinceMs >= timeoutMs) socket.destroy();
    }
  }, lookMs).unref();
  server.once("close", () => clearInterval(timer));
}

/** Returns a value that changes when the system took some of the waiting data. Only the handle sees progress within one long write. */
function whatIsLeft(socket: Socket): string {
  const handle: unknown = Reflect.get(socket, "_handle");
  const queued: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "writeQueueSize") : 0;
  return `${socket.bytesWritten - socket.writableLength} ${String(queued)}`;
}
