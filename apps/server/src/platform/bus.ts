import type { Instant, Points } from "@fairtick/domain";

export interface PublishedTick {
  readonly symbol: string;
  readonly seq: bigint;
  readonly time: Instant;
  readonly price: Points;
}

export interface SealMark {
  readonly symbol: string;
  /** Nothing with a time at or below this is ever stored later. */
  readonly time: Instant;
}

/** A slot's head with the market's signature, in hexadecimal and base 64. */
export interface SignedHead {
  readonly k: bigint;
  readonly hash: string;
  readonly signature: string;
  /** The key's id in hexadecimal. */
  readonly key: string;
}

/** Events published after a commit. Losing one does no harm, because receivers read the tables anyway. */
export interface BusEvents {
  /** One slot of at most 100 ms. */
  ticks: {
    readonly ticks: readonly PublishedTick[];
    readonly sealedThrough: readonly SealMark[];
    /** The slot's signed head; missing if no one signs. */
    readonly head?: SignedHead | undefined;
  };
  /** Seals moved without ticks. */
  seals: { readonly sealedThrough: readonly SealMark[] };
  /** Orders were accepted or settled. Parallel arrays. */
  orders: { readonly members: readonly bigint[]; readonly orderIds: readonly bigint[] };
  /** Sealed orders were opened after their expiry, or have a limit price. Parallel arrays. */
  reveals: { readonly members: readonly bigint[]; readonly orderIds: readonly bigint[] };
  /** The money of these members changed. */
  accounts: { readonly members: readonly bigint[] };
  /** Deposits were seen, got another confirmation or were credited. Parallel arrays. */
  deposits: { readonly members: readonly bigint[]; readonly depositIds: readonly bigint[] };
  /** The identity checks of these members changed. */
  identities: { readonly members: readonly bigint[] };
  /** Withdrawals reached a stage, got another confirmation or ended. Parallel arrays. */
  withdrawals: { readonly members: readonly bigint[]; readonly withdrawalIds: readonly bigint[] };
  /** In a member's chat, a message was sent or read, or one side is typing. */
  support: {
    readonly memberId: bigint;
    readonly from: "member" | "operator";
    readonly what: "message" | "read" | "typing" | "thread";
    /** The message's id; null for reading and typing. */
    readonly messageId: bigint | null;
  };
  /** Price alerts fired. Parallel arrays. */
  alerts: { readonly members: readonly bigint[]; readonly alertIds: readonly bigint[] };
  /** Members were warned about something that someone else may have done. Parallel arrays. */
  warnings: { readonly members: readonly bigint[]; readonly messageIds: readonly bigint[] };
  /** Members whose browser started to listen, or who turned notifications on or off. */
  listeners: { readonly members: readonly bigint[] };
  sessionsEnded: { readonly sessionIds: readonly bigint[] };
  configChanged: { readonly version: number };
}

export type BusTopic = keyof BusEvents;
export type BusHandler<Topic extends BusTopic> = (event: BusEvents[Topic]) => void;

export interface Bus {
  publish<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): void;
  /** Delivers an event only within this process, which missed it and found it in the tables. */
  deliver<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): void;
  /** Calls the listener at once and at each change with whether this process is connected to other machines. */
  watch(listener: (isConnected: boolean) => void): void;
  /** Subscribes to a topic. Returns a function that unsubscribes. */
  subscribe<Topic extends BusTopic>(topic: Topic, handler: BusHandler<Topic>): () => void;
}

/** An event as it is sent between processes. */
export interface BusMessage {
  readonly topic: BusTopic;
  readonly event: BusEvents[BusTopic];
}

/** The way to other processes: through the start script (`bus-ipc.ts`) or NATS (`bus-nats.ts`). */
export interface BusChannel {
  send(message: BusMessage): void;
  /** Called once, with the function that takes events from other processes. */
  receive(deliver: (message: BusMessage) => void): void;
  /** Left out if nothing can get lost on the way. */
  watch?(listener: (isConnected: boolean) => void): void;
  close(): Promise<void>;
}

/** Creates a bus within this process. Delivers in order. What a handler throws goes to `onError` and stops no other handler. */
export function createLocalBus(onError: (error: unknown) => void): Bus {
  return createBus(onError);
}

/** Creates a bus that also delivers to other processes through `channel`. */
export function createBus(onError: (error: unknown) => void, channel?: BusChannel): Bus {
  const handlers = new Map<BusTopic, Set<(event: never) => void>>();

  function deliver({ topic, event }: BusMessage): void {
    for (const handler of handlers.get(topic) ?? []) {
      try {
        (handler as (event: unknown) => void)(event);
      } catch (error) {
        onError(error);
      }
    }
  }

  const send = channel && gathering(channel);
  channel?.receive(deliver);
  return {
    publish(topic, event) {
      deliver({ topic, event });
      send?.({ topic, event });
    },
    deliver: (topic, event) => deliver({ topic, event }),
    watch(listener) {
      if (channel?.watch) channel.watch(listener);
      else listener(true);
    },
    subscribe(topic, handler) {
      const those = handlers.get(topic) ?? new Set();
      handlers.set(topic, those.add(handler));
      return () => void those.delete(handler);
    },
  };
}

/**
 * Returns a function that sends to other processes. Events about orders and accounts come thousands a second. Those of one turn
 * of the event loop are sent as one message, because messages are expensive and their length hardly matters.
 */
function gathering(channel: BusChannel): (message: BusMessage) => void {
  let orders: { members: bigint[]; orderIds: bigint[] } | undefined;
  let accounts: Set<bigint> | undefined;

  function flush(): void {
    const events = { orders, accounts };
    orders = undefined;
    accounts = undefined;
    if (events.orders) channel.send({ topic: "orders", event: events.orders });
    if (events.accounts) channel.send({ topic: "accounts", event: { members: [...events.accounts] } });
  }

  return ({ topic, event }) => {
    if (topic !== "orders" && topic !== "accounts") return channel.send({ topic, event });
    if (orders === undefined && accounts === undefined) setImmediate(flush);
    if ("orderIds" in event) {
      orders ??= { members: [], orderIds: [] };
      for (const member of event.members) orders.members.push(member);
      for (const orderId of event.orderIds) orders.orderIds.push(orderId);
    } else if ("members" in event) {
      accounts ??= new Set();
      for (const member of event.members) accounts.add(member);
    }
  };
}
