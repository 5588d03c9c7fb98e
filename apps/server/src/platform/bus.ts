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

/** What is told after a commit. A lost message costs nothing: whoever hears it reads the tables. */
export interface BusEvents {
  /** One slot of at most 100 ms. */
  ticks: {
    readonly ticks: readonly PublishedTick[];
    readonly sealedThrough: readonly SealMark[];
    /** Of the slot; missing where nobody signs. */
    readonly head?: SignedHead | undefined;
  };
  /** The seal moved without ticks. */
  seals: { readonly sealedThrough: readonly SealMark[] };
  /** Accepted or settled; parallel arrays. */
  orders: { readonly members: readonly bigint[]; readonly orderIds: readonly bigint[] };
  /** Sealed orders that were opened when they were due already, or with a limit price; parallel arrays. */
  reveals: { readonly members: readonly bigint[]; readonly orderIds: readonly bigint[] };
  /** Whose money changed. */
  accounts: { readonly members: readonly bigint[] };
  /** Seen, confirmed once more, credited; parallel arrays. */
  deposits: { readonly members: readonly bigint[]; readonly depositIds: readonly bigint[] };
  /** Whose identity check moved on. */
  identities: { readonly members: readonly bigint[] };
  /** Came to a stage, confirmed once more, ended; parallel arrays. */
  withdrawals: { readonly members: readonly bigint[]; readonly withdrawalIds: readonly bigint[] };
  /** In the chat of a member with customer service: something was said or read, or somebody writes. */
  support: {
    readonly memberId: bigint;
    readonly from: "member" | "operator";
    readonly what: "message" | "read" | "typing" | "thread";
    /** Of a message. */
    readonly messageId: bigint | null;
  };
  /** Price alerts that fired; parallel arrays. */
  alerts: { readonly members: readonly bigint[]; readonly alertIds: readonly bigint[] };
  /** Members were warned of what somebody else may have done; parallel arrays. */
  warnings: { readonly members: readonly bigint[]; readonly messageIds: readonly bigint[] };
  /** Whose browser begins to listen, or who turned notifications on or off. */
  listeners: { readonly members: readonly bigint[] };
  sessionsEnded: { readonly sessionIds: readonly bigint[] };
  configChanged: { readonly version: number };
}

export type BusTopic = keyof BusEvents;
export type BusHandler<Topic extends BusTopic> = (event: BusEvents[Topic]) => void;

export interface Bus {
  publish<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): void;
  /** Hands an event to this process alone: one that it missed and found in the tables. */
  deliver<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): void;
  /** Told at once, and whenever it changes, whether other machines hear this process and it hears them. */
  watch(listener: (isConnected: boolean) => void): void;
  /** Returns how to stop listening. */
  subscribe<Topic extends BusTopic>(topic: Topic, handler: BusHandler<Topic>): () => void;
}

/** One event on its way between processes. */
export interface BusMessage {
  readonly topic: BusTopic;
  readonly event: BusEvents[BusTopic];
}

/** How events reach the other processes: through the start script (`bus-ipc.ts`) or NATS (`bus-nats.ts`). */
export interface BusChannel {
  send(message: BusMessage): void;
  /** Called once, with where to hand what other processes published. */
  receive(deliver: (message: BusMessage) => void): void;
  /** Left out where nothing can get lost in between. */
  watch?(listener: (isConnected: boolean) => void): void;
  close(): Promise<void>;
}

/** Delivers within this process, in order; what a handler throws goes to `onError` and stops nobody else. */
export function createLocalBus(onError: (error: unknown) => void): Bus {
  return createBus(onError);
}

/** As `createLocalBus`, and to the other processes through `channel`. */
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
 * Sends to other processes. Orders and accounts come one by one from the calls, thousands a second: those of one turn
 * of the event loop travel as one message, since a message costs and its length hardly does.
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
