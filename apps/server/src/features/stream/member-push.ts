import { ENTRY_WINDOW_MS, type Instant, type MemberId } from "@fairtick/domain";
import type { Order, Summary } from "@fairtick/protocol";
import type { BusEvents } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

/** Doors of other features, as the stream needs them. */
export interface MemberSources {
  /** Orders as calls show them, by member and id in parallel arrays; unknown ones are left out. */
  readOrders(
    members: readonly bigint[],
    orderIds: readonly bigint[],
  ): Promise<readonly { readonly memberId: bigint; readonly orderId: bigint; readonly order: Order }[]>;
  /** Running orders of a member that were accepted at or after an instant. */
  readRunningOrderIds(memberId: MemberId, acceptedSince: Instant): Promise<readonly bigint[]>;
  /** A member's wallets in figures. */
  readSummaries(memberId: MemberId): Promise<readonly Summary[]>;
}

interface AwaitingEntry {
  readonly memberId: bigint;
  readonly acceptedAt: bigint;
}

/** Orders accepted this recently may still get their entry; the window itself, and time for its tick to arrive. */
const AWAITING_ENTRY_MS = ENTRY_WINDOW_MS + 5_000n;
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
 * Pushes orders and accounts to their members' sockets. An event only says whose row changed; what is pushed is read
 * from the tables afterwards, so a repeated or late event does no harm. An order without an entry is read again when a
 * tick that may be its entry is published.
 */
export function createMemberPush(sources: MemberSources, now: () => Instant, log: Log): MemberPush {
  const watching = new Map<bigint, Set<Connection>>();
  /** symbol → orders of watching members whose entry has not been seen. */
  const awaitingEntry = new Map<string, Map<bigint, AwaitingEntry>>();
  /** order → member */
  const ordersToRead = new Map<bigint, bigint>();
  const accountsToRead = new Set<bigint>();
  let readingOrders = false;
  let accountTimer: NodeJS.Timeout | undefined;
  const life = { closed: false };

  const each = (member: bigint, topic: "orders" | "account", act: (connection: Connection) => void) => {
    for (const connection of watching.get(member) ?? []) if (connection.topics.has(topic)) act(connection);
  };
  const wants = (member: bigint, topic: "orders" | "account") =>
    [...(watching.get(member) ?? [])].some((connection) => connection.topics.has(topic));

  function follow({ memberId, orderId, order }: { memberId: bigint; orderId: bigint; order: Order }): void {
    const waiting = awaitingEntry.get(order.symbol) ?? new Map<bigint, AwaitingEntry>();
    if (order.state !== "accepted") waiting.delete(orderId);
    else {
      waiting.set(orderId, { memberId, acceptedAt: BigInt(order.acceptedAt) });
      awaitingEntry.set(order.symbol, waiting);
    }
  }

  async function readOrders(): Promise<void> {
    if (readingOrders) return;
    readingOrders = true;
    while (ordersToRead.size > 0 && !life.closed) {
      const wanted = ordersToRead.entries().take(ORDERS_PER_READ).toArray();
      for (const [orderId] of wanted) ordersToRead.delete(orderId);
      try {
        const found = await sources.readOrders(
          wanted.map(([, member]) => member),
          wanted.map(([orderId]) => orderId),
        );
        for (const one of found) {
          follow(one);
          each(one.memberId, "orders", (connection) => connection.send({ t: "order", d: one.order }));
        }
      } catch (error) {
        for (const [orderId, member] of wanted) ordersToRead.set(orderId, member);
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
      // Orders accepted before the member subscribed may still get their entry.
      void sources
        .readRunningOrderIds(member, (now() - AWAITING_ENTRY_MS) as Instant)
        .then((ids) =>
          sources.readOrders(
            ids.map(() => member),
            ids,
          ),
        )
        .then((found) => found.forEach(follow))
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
        if (orderId !== undefined && wants(member, "orders")) ordersToRead.set(orderId, member);
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
        for (const [orderId, { memberId, acceptedAt }] of waiting) {
          if (time <= acceptedAt) continue;
          // Forgotten until it is read: if it is still accepted then, it is followed again.
          waiting.delete(orderId);
          ordersToRead.set(orderId, memberId);
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
