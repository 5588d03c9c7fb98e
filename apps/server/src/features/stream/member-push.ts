import type { Instant, MemberId } from "@fairtick/domain";
import type { Order, Summary } from "@fairtick/protocol";
import type { BusEvents } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import { createAccountPush } from "./account-push.ts";
import { AWAITING_ENTRY_MS, AwaitingEntries } from "./awaiting-entries.ts";
import type { Connection } from "./connection.ts";
import { MemberSockets } from "./member-sockets.ts";
import { createOrderPush } from "./order-push.ts";

/** Functions of other features that the stream needs. */
export interface MemberSources {
  /** Reads orders as calls show them, by member and id in parallel arrays. Unknown ones are left out. */
  readOrders(
    members: readonly bigint[],
    orderIds: readonly bigint[],
  ): Promise<readonly { readonly memberId: bigint; readonly orderId: bigint; readonly order: Order }[]>;
  /** Reads the ids of a member's running orders that were accepted at or after an instant. */
  readRunningOrderIds(memberId: MemberId, acceptedSince: Instant): Promise<readonly bigint[]>;
  /** Reads the figures of a member's wallets. */
  readSummaries(memberId: MemberId): Promise<readonly Summary[]>;
}

export interface MemberPush {
  /** Notes whether a connection wants its member's orders and account. */
  place(connection: Connection): void;
  remove(connection: Connection): void;
  takeOrders(event: BusEvents["orders"]): void;
  takeAccounts(event: BusEvents["accounts"]): void;
  takeTicks(event: BusEvents["ticks"]): void;
  /** Notes that a slow reader can take more. */
  caughtUp(connection: Connection): void;
  close(): void;
}

/**
 * Pushes orders and accounts to their members' sockets. An event only says whose row changed; what is pushed is read
 * from the tables afterwards, so a repeated or late event does no harm. An order without an entry is read again when a
 * tick that may be its entry is published.
 */
export function createMemberPush(sources: MemberSources, now: () => Instant, log: Log): MemberPush {
  const sockets = new MemberSockets();
  const awaiting = new AwaitingEntries();
  const orders = createOrderPush(sources, log, sockets, awaiting);
  const accounts = createAccountPush(sources, log, sockets);

  /** Orders accepted before the member subscribed may still get their entry. */
  async function followRunning(member: MemberId): Promise<void> {
    try {
      const ids = await sources.readRunningOrderIds(member, (now() - AWAITING_ENTRY_MS) as Instant);
      const found = await sources.readOrders(
        ids.map(() => member),
        ids,
      );
      for (const one of found) awaiting.follow(one);
    } catch (error) {
      log.warn({ err: error }, "running orders could not be read");
    }
  }

  return {
    place(connection) {
      const { member } = connection;
      if (member === null || connection.over) return;
      sockets.add(member, connection);
      if (connection.topics.has("orders")) void followRunning(member);
    },
    remove(connection) {
      if (connection.member !== null) sockets.remove(connection.member, connection);
    },
    takeOrders({ members, orderIds }) {
      members.forEach((member, index) => {
        const orderId = orderIds[index];
        if (orderId !== undefined && sockets.wants(member, "orders")) orders.add(orderId, member);
      });
      orders.read();
    },
    takeAccounts({ members }) {
      for (const member of members) if (sockets.wants(member, "account")) accounts.ask(member);
    },
    takeTicks({ ticks }) {
      for (const tick of ticks) awaiting.takeDue(tick, (orderId, memberId) => orders.add(orderId, memberId));
      orders.read();
    },
    caughtUp(connection) {
      if (!connection.accountWaits || connection.member === null) return;
      connection.accountWaits = false;
      accounts.ask(connection.member);
    },
    close() {
      orders.close();
      accounts.close();
    },
  };
}
