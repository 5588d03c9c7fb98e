import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends every socket of a port whose other end has taken nothing for `timeoutMs` of what waits for it: somebody who
 * reads no answer holds the answer in memory and the socket. Node's own time-out takes the first bytes, those that
 * fill the system's buffers, for progress, and twice the time.
 * `elapsedMs` never goes back; it is looked at each `lookMs`. Ends by itself when the port closes.
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

/** Changes whenever the system took some of what waits, within one long write too: of that only the handle knows. */
function whatIsLeft(socket: Socket): string {
  const handle: unknown = Reflect.get(socket, "_handle");
  const queued: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "writeQueueSize") : 0;
  return `${socket.bytesWritten - socket.writableLength} ${String(queued)}`;
}
