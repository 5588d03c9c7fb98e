import { EventEmitter } from "node:events";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { BusChannel, BusMessage } from "./bus.ts";
import type { Log } from "./log.ts";

const SUBJECT = "fairtick.bus";
/** Who was away asks here for what the others kept; they answer to it alone. */
const RESEND = "fairtick.resend";

/** A NATS that says nothing for three of these is taken for lost: a broken network closes no connection. */
const PING_EVERY_MS = 1_000;
const PINGS_OUT_MAX = 2;
const RECONNECT_EVERY_MS = 250;
const RECONNECT_JITTER_MS = 250;
/** How long messages are kept for machines that come back later than this one. */
const KEPT_MS = 30_000;
/** Beyond so many kept messages the oldest are dropped: their receivers read the tables. */
const KEPT_MAX = 20_000;

/**
 * Opens the bus over NATS, for processes on several machines. The library is loaded only here, where it is wanted. The
 * connection and its subscription mend themselves. What was sent while NATS was away is sent again once it is back, but for
 * ticks and seals, which are out of date by then. It may then arrive twice, as the bus allows. `onTrouble` is told while NATS is away.
 */
export async function natsChannel(
  url: string,
  log: Log,
  onTrouble: (cause: string | undefined) => void = () => undefined,
): Promise<BusChannel> {
  const { createInbox } = await import("@nats-io/transport-node");
  const connection = await connectTo(url);
  const { hostname } = new URL(url);
  const inbox = createInbox();
  const kept = createKept();
  const standing = new EventEmitter<{ change: [isConnected: boolean] }>();
  let isConnected = true;

  function change(to: boolean): void {
    if (to === isConnected) return;
    isConnected = to;
    if (to) log.info({ host: hostname }, "NATS is back");
    else log.warn({ host: hostname }, "NATS is away");
    onTrouble(to ? undefined : `NATS at ${hostname} does not answer: prices and orders reach members late`);
    standing.emit("change", to);
  }

  const isOver = () => connection.isClosed() || connection.isDraining();

  function post(subject: string, message: BusMessage): void {
    if (!isOver()) connection.publish(subject, encodeEvent(message));
  }

  connection.subscribe(RESEND, {
    callback: (_error, { reply }) => {
      if (reply !== undefined) for (const message of kept.all()) post(reply, message);
    },
  });

  void follow(connection, {
    lost: () => change(false),
    back: () => {
      // Others may be back already, or only later: whoever comes asks.
      for (const message of kept.all()) post(SUBJECT, message);
      if (!isOver()) connection.publish(RESEND, "", { reply: inbox });
      change(true);
    },
  });
  return {
    send(message) {
      kept.keep(message, isConnected);
      if (isConnected) post(SUBJECT, message);
    },
    receive(deliver) {
      const callback = receiver(deliver, log);
      connection.subscribe(SUBJECT, { callback });
      connection.subscribe(inbox, { callback });
    },
    watch(listener) {
      standing.on("change", listener);
      listener(isConnected);
    },
    // What is on its way is sent first, if there is anybody to send it to.
    close: () => (isConnected ? connection.drain() : connection.close()),
  };
}

async function connectTo(url: string): Promise<NatsConnection> {
  const { connect } = await import("@nats-io/transport-node");
  const { hostname, port, username, password } = new URL(url);
  return connect({
    servers: `${hostname}:${port === "" ? "4222" : port}`,
    ...(username !== "" && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    name: "fairtick",
    // Own subscribers have the event already, straight from `publish`.
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_EVERY_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: PINGS_OUT_MAX,
  });
}

function receiver(deliver: (message: BusMessage) => void, log: Log) {
  return (error: Error | null, message: Msg): void => {
    // NATS itself answers with nothing where no other machine is there to be asked.
    if (error === null && message.data.length === 0) return;
    try {
      if (error) throw error;
      deliver(decodeEvent(message.string()));
    } catch (fault) {
      // Thrown on, it would end the connection.
      log.warn({ err: fault }, "the bus lost an event");
    }
  };
}

/** Tells when the connection is lost and when it is back, until it is closed. */
async function follow(connection: NatsConnection, told: { lost(): void; back(): void }): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect" || type === "staleConnection") told.lost();
    else if (type === "reconnect") told.back();
  }
}

/** What was sent in the last half minute, and all since NATS was lost. Ticks and seals go out of date: they are not kept. */
function createKept() {
  let messages: { readonly message: BusMessage; readonly at: number }[] = [];
  return {
    keep(message: BusMessage, isConnected: boolean): void {
      if (message.topic === "ticks" || message.topic === "seals") return;
      const at = performance.now();
      messages.push({ message, at });
      const oldest = messages[0];
      const isOver = isConnected && oldest !== undefined && at - oldest.at > 2 * KEPT_MS;
      if (isOver) messages = messages.filter((each) => at - each.at <= KEPT_MS);
      if (messages.length > KEPT_MAX) messages.splice(0, messages.length - KEPT_MAX);
    },
    all: () => messages.map(({ message }) => message),
  };
}

const BIGINT = "$bigint";

/** JSON, with a bigint as `{"$bigint": "…"}`. */
export function encodeEvent(message: BusMessage): string {
  return JSON.stringify(message, (_key, value: unknown) =>
    typeof value === "bigint" ? { [BIGINT]: value.toString() } : value,
  );
}

export function decodeEvent(text: string): BusMessage {
  return JSON.parse(text, (_key, value: unknown) => {
    if (value !== null && typeof value === "object" && BIGINT in value) return BigInt(String(value[BIGINT]));
    return value;
  }) as BusMessage;
}
