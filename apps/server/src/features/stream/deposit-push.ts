import type { Deposit } from "@fairtick/protocol";
import type { BusEvents } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

/** Deposits by member and id in parallel arrays, as calls show them. */
export type ReadDeposits = (
  members: readonly bigint[],
  depositIds: readonly bigint[],
) => Promise<readonly { readonly memberId: bigint; readonly deposit: Deposit }[]>;

const DEPOSITS_PER_READ = 500;

/** Answers what to do with an event: its deposits are read and pushed to their members' sockets that want them. */
export function createDepositPush(
  connections: Iterable<Connection>,
  read: ReadDeposits,
  log: Log,
): (event: BusEvents["deposits"]) => void {
  async function push({ members, depositIds }: BusEvents["deposits"]): Promise<void> {
    const watching = Map.groupBy(
      [...connections].filter(({ topics, member }) => member !== null && topics.has("deposits")),
      ({ member }) => member as bigint,
    );
    const wanted = new Map<bigint, bigint>();
    members.forEach((member, index) => {
      const depositId = depositIds[index];
      if (depositId !== undefined && watching.has(member)) wanted.set(depositId, member);
    });
    const pairs = [...wanted];
    for (let start = 0; start < pairs.length; start += DEPOSITS_PER_READ) {
      const some = pairs.slice(start, start + DEPOSITS_PER_READ);
      const found = await read(
        some.map(([, member]) => member),
        some.map(([depositId]) => depositId),
      );
      for (const { memberId, deposit } of found)
        for (const connection of watching.get(memberId) ?? []) connection.send({ t: "deposit", d: deposit });
    }
  }
  return (event) => {
    push(event).catch((error: unknown) => log.warn({ err: error }, "deposits to push could not be read"));
  };
}
