import type { ChildProcess } from "node:child_process";
import type { BusChannel, BusMessage } from "./bus.ts";

/** An end of Node's own channel between processes: this process towards its parent, or a child of it. */
export interface IpcEnd {
  readonly connected: boolean;
  send(message: object): void;
  listen(listener: (message: unknown) => void): void;
}

/** The channel to the process that started this one; undefined when there is none. */
export function parentChannel(): BusChannel | undefined {
  if (!process.send) return undefined;
  return ipcChannel({
    get connected() {
      return process.connected;
    },
    // What cannot be sent because the parent is gone is lost, and so is this process in a moment.
    send: (message) => process.send?.(message, undefined, undefined, () => undefined),
    listen: (listener) => process.on("message", listener),
  });
}

export function childEnd(child: ChildProcess): IpcEnd {
  return {
    get connected() {
      return child.connected;
    },
    send: (message) => child.send(message, () => undefined),
    listen: (listener) => child.on("message", listener),
  };
}

/**
 * Events over Node's channel to the process that started this one, which relays them to its other
 * children. It needs `serialization: "advanced"`, since events hold bigints.
 */
export function ipcChannel(end: IpcEnd): BusChannel {
  return {
    send(message) {
      if (end.connected) end.send({ kind: "bus", ...message });
    },
    receive(deliver) {
      end.listen((message) => {
        if (isBusMessage(message)) deliver(message);
      });
    },
    close: async () => undefined,
  };
}

/** What passes events between the children of a process; one that was started again is added. */
export interface Relay {
  add(child: IpcEnd): void;
}

/** Passes each child's events on to all the others; for the process that started them. */
export function relayBus(children: readonly IpcEnd[]): Relay {
  const ends = new Set<IpcEnd>();
  const relay: Relay = {
    add(child) {
      for (const end of ends) if (!end.connected) ends.delete(end);
      ends.add(child);
      child.listen((message) => {
        if (!isBusMessage(message)) return;
        for (const other of ends) {
          if (other !== child && other.connected) other.send(message);
        }
      });
    },
  };
  for (const child of children) relay.add(child);
  return relay;
}

function isBusMessage(message: unknown): message is BusMessage {
  return message !== null && typeof message === "object" && "kind" in message && message.kind === "bus";
}
