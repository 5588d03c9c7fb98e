import type { SupportMessage } from "@fairtick/protocol";
import type { BusEvents } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

export type ReadSupportMessage = (memberId: bigint, messageId: bigint) => Promise<SupportMessage | null>;

/**
 * Pushes the events of a member's chat to their sockets: messages of both sides, and that the other side reads or
 * types.
 */
export function createSupportPush(
  connections: Iterable<Connection>,
  read: ReadSupportMessage,
  log: Log,
): (event: BusEvents["support"]) => void {
  async function push({ memberId, from, what, messageId }: BusEvents["support"]): Promise<void> {
    const those = [...connections].filter(({ topics, member }) => member === memberId && topics.has("support"));
    if (those.length === 0) return;
    if (what === "message" && messageId !== null) {
      const message = await read(memberId, messageId);
      if (message !== null) for (const connection of those) connection.send({ t: "support", d: message });
    }
    if (from === "operator" && what === "typing")
      for (const connection of those) connection.send({ t: "supportTyping" });
    if (what === "read") for (const connection of those) connection.send({ t: "supportRead", from });
  }
  return (event) => {
    push(event).catch((error: unknown) => log.warn({ err: error }, "a message to push could not be read"));
  };
}
