import type { Log } from "../../platform/log.ts";
import type { AwaitingEntries } from "./awaiting-entries.ts";
import type { MemberSources } from "./member-push.ts";
import type { MemberSockets } from "./member-sockets.ts";

const ORDERS_PER_READ = 1_000;
const RETRY_MS = 500;

export interface OrderPush {
  /** Notes that an order has changed. */
  add(orderId: bigint, memberId: bigint): void;
  /** Reads and pushes the noted orders, unless that is under way. */
  read(): void;
  close(): void;
}

/** Pushes orders to their members' sockets, a thousand with each reading. */
export function createOrderPush(
  sources: Pick<MemberSources, "readOrders">,
  log: Log,
  sockets: MemberSockets,
  awaiting: AwaitingEntries,
): OrderPush {
  /** Member of each order. */
  const toRead = new Map<bigint, bigint>();
  let isReading = false;
  const life = { closed: false };

  async function readSome(wanted: readonly (readonly [orderId: bigint, member: bigint])[]): Promise<void> {
    const found = await sources.readOrders(
      wanted.map(([, member]) => member),
      wanted.map(([orderId]) => orderId),
    );
    for (const one of found) {
      awaiting.follow(one);
      sockets.each(one.memberId, "orders", (connection) => connection.send({ t: "order", d: one.order }));
    }
  }

  async function readAll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (toRead.size > 0 && !life.closed) {
      const wanted = toRead.entries().take(ORDERS_PER_READ).toArray();
      for (const [orderId] of wanted) toRead.delete(orderId);
      try {
        await readSome(wanted);
      } catch (error) {
        for (const [orderId, member] of wanted) toRead.set(orderId, member);
        log.warn({ err: error }, "orders to push could not be read");
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    isReading = false;
  }

  return {
    add: (orderId, memberId) => void toRead.set(orderId, memberId),
    read() {
      if (toRead.size > 0) void readAll();
    },
    close() {
      life.closed = true;
    },
  };
}
