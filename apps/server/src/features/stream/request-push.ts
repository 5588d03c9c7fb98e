import type { Alert, Deposit, StreamMessage, Withdrawal } from "@fairtick/protocol";
import type { BusEvents } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

/** Reads requests as calls show them, by member and id in parallel arrays. */
type ReadRequests<Found> = (
  members: readonly bigint[],
  ids: readonly bigint[],
) => Promise<readonly ({ readonly memberId: bigint } & Found)[]>;
export type ReadDeposits = ReadRequests<{ readonly deposit: Deposit }>;
export type ReadWithdrawals = ReadRequests<{ readonly withdrawal: Withdrawal }>;

export type ReadAlerts = ReadRequests<{ readonly alert: Alert }>;

const REQUESTS_PER_READ = 500;

/** Returns a handler of events that reads deposits and pushes them to their members' subscribed sockets. */
export function createDepositPush(connections: Iterable<Connection>, read: ReadDeposits, log: Log) {
  const push = createPush(connections, "deposits", read, ({ deposit }) => ({ t: "deposit", d: deposit }), log);
  return ({ members, depositIds }: BusEvents["deposits"]) => push(members, depositIds);
}

/** Returns the same handler for withdrawals. */
export function createWithdrawalPush(connections: Iterable<Connection>, read: ReadWithdrawals, log: Log) {
  const say = ({ withdrawal }: { withdrawal: Withdrawal }) => ({ t: "withdrawal", d: withdrawal }) as const;
  const push = createPush(connections, "withdrawals", read, say, log);
  return ({ members, withdrawalIds }: BusEvents["withdrawals"]) => push(members, withdrawalIds);
}

/** Returns the same handler for price alerts that fired. */
export function createAlertPush(connections: Iterable<Connection>, read: ReadAlerts, log: Log) {
  const push = createPush(connections, "alerts", read, ({ alert }) => ({ t: "alert", d: alert }), log);
  return ({ members, alertIds }: BusEvents["alerts"]) => push(members, alertIds);
}

function createPush<Found>(
  connections: Iterable<Connection>,
  topic: "deposits" | "withdrawals" | "alerts",
  read: ReadRequests<Found>,
  messageOf: (found: Found) => StreamMessage,
  log: Log,
): (members: readonly bigint[], ids: readonly bigint[]) => void {
  async function push(members: readonly bigint[], ids: readonly bigint[]): Promise<void> {
    const watching = Map.groupBy(
      [...connections].filter(({ topics, member }) => member !== null && topics.has(topic)),
      ({ member }) => member as bigint,
    );
    const wanted = new Map<bigint, bigint>();
    members.forEach((member, index) => {
      const id = ids[index];
      if (id !== undefined && watching.has(member)) wanted.set(id, member);
    });
    const pairs = [...wanted];
    for (let start = 0; start < pairs.length; start += REQUESTS_PER_READ) {
      const some = pairs.slice(start, start + REQUESTS_PER_READ);
      const found = await read(
        some.map(([, member]) => member),
        some.map(([id]) => id),
      );
      for (const one of found)
        for (const connection of watching.get(one.memberId) ?? []) connection.send(messageOf(one));
    }
  }
  return (members, ids) => {
    push(members, ids).catch((error: unknown) => log.warn({ err: error }, `${topic} to push could not be read`));
  };
}
