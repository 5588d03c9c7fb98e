import { type Instant, type MemberId, type OrderId, parseId } from "@fairtick/domain";
import type { Order, Summary } from "@fairtick/protocol";
import type { BusEvents } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

/** Doors of other features, as the stream needs them. */
export interface MemberSources {
  /** Orders as calls show them, by id, of whichever members; unknown ids are left out. */
  readOrders(orderIds: readonly OrderId[]): Promise<{ readonly memberId: bigint; readonly order: Order }[]>;
  /** Running orders of a member that were accepted at or after an instant. */
  readRunningOrderIds(memberId: MemberId, acceptedSince: Instant): Promise<readonly OrderId[]>;
  /** A member's wallets in figures. */
  readSummaries(memberId: MemberId): Promise<readonly Summary[]>;
}

/** Longer than the window in which an entry tick may come. */
const ENTRY_WINDOW_MS = 15_000n;
const ORDERS_PER_READ = 1_000;
const RETRY_MS = 500;
/** Pushes of one account at most this often. */
const ACCOUNT_EVERY_MS = 100;

export interface MemberPush {
  /** The connection now wants, or no longer wants, its member's orders and account. */
  place(connection: Connection): void;
  remove(connection: Connection): void;
  takeOrders(event: BusEvents["orders"]): void;
  takeAccounts(event: BusEvents["accounts"]): void;
  takeTicks(event: BusEvents["ticks"]): void;
  /** A slow reader can take more. */
  caughtUp(connection: Connection): void;
  close(): void;
}

/**
 * Orders and accounts to their members' sockets. An event only says whose row changed; what is pushed is read from the
 * tables afterwards, so a doubled or late event does no harm. An order that waits for its entry is read again when a
 * tick that can be it is published.
 */
export function createMemberPush(sources: MemberSources, now: () => Instant, log: Log): MemberPush {
  const watching = new Map<bigint, Set<Connection>>();
  /** symbol → order → when it was accepted: orders of watching members whose entry has not been seen. */
  const awaitingEntry = new Map<string, Map<OrderId, number>>();
  const ordersToRead = new Set<OrderId>();
  const accountsToRead = new Set<bigint>();
  let readingOrders = false;
  let accountTimer: NodeJS.Timeout | undefined;
  const life = { closed: false };

  const each = (member: bigint, topic: "orders" | "account", act: (connection: Connection) => void) => {
    for (const connection of watching.get(member) ?? []) if (connection.topics.has(topic)) act(connection);
  };
  const wants = (member: bigint, topic: "orders" | "account") =>
    [...(watching.get(member) ?? [])].some((connection) => connection.topics.has(topic));

  function follow(order: Order): void {
    const id = parseId("order", order.orderNo);
    if (id === null) return;
    const waiting = awaitingEntry.get(order.symbol) ?? new Map<OrderId, number>();
    if (order.state === "accepted") awaitingEntry.set(order.symbol, waiting.set(id, order.acceptedAt));
    else waiting.delete(id);
  }

  async function readOrders(): Promise<void> {
    if (readingOrders) return;
    readingOrders = true;
    while (ordersToRead.size > 0 && !life.closed) {
      const ids = [...ordersToRead].slice(0, ORDERS_PER_READ);
      for (const id of ids) ordersToRead.delete(id);
      try {
        for (const { memberId, order } of await sources.readOrders(ids)) {
          follow(order);
          each(memberId, "orders", (connection) => connection.send({ t: "order", d: order }));
        }
      } catch (error) {
        for (const id of ids) ordersToRead.add(id);
        log.warn({ err: error }, "orders to push could not be read");
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    readingOrders = false;
  }

  async function pushAccount(member: bigint): Promise<void> {
    if (!wants(member, "account")) return;
    try {
      const summaries = await sources.readSummaries(member as MemberId);
      each(member, "account", (connection) => {
        connection.accountWaits = connection.slow;
        if (!connection.slow) for (const summary of summaries) connection.send({ t: "account", d: summary });
      });
    } catch (error) {
      log.warn({ err: error }, "an account to push could not be read");
      if (!life.closed) setTimeout(() => askAccount(member), RETRY_MS).unref();
    }
  }

  function askAccount(member: bigint): void {
    accountsToRead.add(member);
    accountTimer ??= setTimeout(() => {
      accountTimer = undefined;
      const members = [...accountsToRead];
      accountsToRead.clear();
      void pushInTurn(members);
    }, ACCOUNT_EVERY_MS);
  }

  /** Few at once: a mass settlement touches thousands of accounts, and calls need the pool as well. */
  async function pushInTurn(members: bigint[]): Promise<void> {
    const lanes = Array.from({ length: 4 }, async () => {
      for (let member = members.pop(); member !== undefined; member = members.pop()) await pushAccount(member);
    });
    await Promise.all(lanes);
  }

  return {
    place(connection) {
      const { member } = connection;
      if (member === null || connection.over) return;
      const those = watching.get(member) ?? new Set();
      watching.set(member, those.add(connection));
      if (!connection.topics.has("orders")) return;
      // What was accepted before he watched may still get its entry.
      void sources
        .readRunningOrderIds(member, (now() - ENTRY_WINDOW_MS) as Instant)
        .then((ids) => sources.readOrders(ids))
        .then((found) => found.forEach(({ order }) => follow(order)))
        .catch((error: unknown) => log.warn({ err: error }, "running orders could not be read"));
    },
    remove(connection) {
      const { member } = connection;
      if (member === null) return;
      const those = watching.get(member);
      those?.delete(connection);
      if (those?.size === 0) watching.delete(member);
    },
    takeOrders({ members, orderIds }) {
      members.forEach((member, index) => {
        const orderId = orderIds[index];
        if (orderId !== undefined && wants(member, "orders")) ordersToRead.add(orderId as OrderId);
      });
      if (ordersToRead.size > 0) void readOrders();
    },
    takeAccounts({ members }) {
      for (const member of members) if (wants(member, "account")) askAccount(member);
    },
    takeTicks({ ticks }) {
      for (const { symbol, time } of ticks) {
        const waiting = awaitingEntry.get(symbol);
        if (waiting === undefined) continue;
        for (const [orderId, acceptedAt] of waiting) {
          if (time <= BigInt(acceptedAt)) continue;
          // Forgotten until it is read: if it is still accepted then, it is followed again.
          waiting.delete(orderId);
          ordersToRead.add(orderId);
        }
      }
      if (ordersToRead.size > 0) void readOrders();
    },
    caughtUp(connection) {
      if (!connection.accountWaits || connection.member === null) return;
      connection.accountWaits = false;
      askAccount(connection.member);
    },
    close() {
      life.closed = true;
      clearTimeout(accountTimer);
    },
  };
}
