import type { ChildProcess } from "node:child_process";
import type { BusChannel, BusMessage } from "./bus.ts";

/** One end of Node's channel between processes: this process towards its parent, or towards one of its children. */
export interface IpcEnd {
  readonly connected: boolean;
  send(message: object): void;
  listen(listener: (message: unknown) => void): void;
}

/** Returns the channel to the process that started this one; undefined if there is none. */
export function parentChannel(): BusChannel | undefined {
  if (!process.send) return undefined;
  return ipcChannel({
    get connected() {
      return process.connected;
    },
    // Messages that can't be sent because the parent is gone are lost. This process will end in a moment too.
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
 * Creates a channel for events over Node's IPC. The parent process relays them to its other children. Needs
 * `serialization: "advanced"`, since events contain bigints.
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

/** Passes events between the children of a process. A child that was restarted has to be added again. */
export interface Relay {
  add(child: IpcEnd): void;
}

/** Creates a relay in the parent process that passes each child's events to all the others. */
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
