/** A process that opens sockets, sends nothing on them and holds those that the server doesn't close. */
import { connect, type Socket } from "node:net";

export interface IdleOrder {
  readonly kind: "open" | "close";
  readonly port: number;
  readonly sockets: number;
  readonly addresses: readonly string[];
}

export interface IdleReport {
  /** Sockets that were opened and are still open. */
  readonly held: number;
}

const WAVE = 100;
const SETTLED_MS = 500;
const held = new Set<Socket>();

/** Connects; resolves before it is known whether the server keeps the socket. */
function open(port: number, localAddress: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.once("connect", () => {
      held.add(socket);
      resolve();
    });
    socket.on("error", () => resolve());
    socket.once("close", () => {
      held.delete(socket);
      resolve();
    });
    // Without a reader, a socket never learns that the other side has closed.
    socket.resume();
  });
}

async function obey({ kind, port, sockets, addresses }: IdleOrder): Promise<IdleReport> {
  if (kind === "close") for (const socket of held) socket.destroy();
  const wanted = kind === "open" ? sockets : 0;
  for (let opened = 0; opened < wanted; opened += WAVE) {
    const wave = Array.from({ length: Math.min(WAVE, wanted - opened) }, (_, place) =>
      open(port, addresses[(opened + place) % addresses.length] ?? "127.0.0.1"),
    );
    await Promise.all(wave);
  }
  await new Promise((wake) => setTimeout(wake, SETTLED_MS));
  return { held: held.size };
}

process.on("message", (order: IdleOrder) => {
  void obey(order).then((report) => process.send?.(report));
});
process.on("disconnect", () => process.exit(0));
