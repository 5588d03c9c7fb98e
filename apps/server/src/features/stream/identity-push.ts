import type { MemberId } from "@fairtick/domain";
import type { Identity } from "@fairtick/protocol";
import type { BusEvents } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

/** Reads the state of a member's identity check as calls show it. */
export type ReadIdentity = (memberId: MemberId) => Promise<Identity>;

/** Returns a handler of events that reads a member's state and pushes it to their subscribed sockets. */
export function createIdentityPush(
  connections: Iterable<Connection>,
  read: ReadIdentity,
  log: Log,
): (event: BusEvents["identities"]) => void {
  async function push(memberId: bigint): Promise<void> {
    const watching = [...connections].filter(({ topics, member }) => member === memberId && topics.has("identity"));
    if (watching.length === 0) return;
    const identity = await read(memberId as MemberId);
    for (const connection of watching) connection.send({ t: "identity", d: identity });
  }
  return ({ members }) => {
    for (const member of members)
      push(member).catch((error: unknown) => log.warn({ err: error }, "an identity to push could not be read"));
  };
}
