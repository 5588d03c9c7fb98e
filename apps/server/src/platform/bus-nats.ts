import { EventEmitter } from "node:events";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { BusChannel, BusMessage } from "./bus.ts";
import type { Log } from "./log.ts";

const SUBJECT = "fairtick.bus";
/** Subject on which a process that was away asks the others for what they kept. They answer only to that process. */
const RESEND = "fairtick.resend";

/** NATS counts as lost after three unanswered pings, since a broken network doesn't close connections. */
const PING_EVERY_MS = 1_000;
const PINGS_OUT_MAX = 2;
const RECONNECT_EVERY_MS = 250;
const RECONNECT_JITTER_MS = 250;
/** How long messages are kept for machines that reconnect later than this one. */
const KEPT_MS = 30_000;
/** The most messages to keep. The oldest are dropped first; their receivers read the tables instead. */
const KEPT_MAX = 20_000;

/**
 * Opens the bus over NATS, for processes on several machines. The connection and its subscription are restored automatically.
 * Messages sent while NATS was away are sent again once it is back, except ticks and seals, which are out of date by then. They
 * may arrive twice, which the bus allows. `onTrouble` gets a reason while NATS is away. The library is loaded only here, so
 * that other deployments don't pay for it.
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
      // The others may have reconnected already or may do so later, and each asks for what it missed.
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
    // Send pending messages first, if there is a connection.
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
    // Subscribers in this process already got the event directly from `publish`.
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
    // NATS answers with an empty message if no other machine is there.
    if (error === null && message.data.length === 0) return;
    try {
      if (error) throw error;
      deliver(decodeEvent(message.string()));
    } catch (fault) {
      // Don't rethrow: that would end the connection.
      log.warn({ err: fault }, "the bus lost an event");
    }
  };
}

/** Reports when the connection is lost and when it is back, until it is closed. */
async function follow(connection: NatsConnection, told: { lost(): void; back(): void }): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect" || type === "staleConnection") told.lost();
    else if (type === "reconnect") told.back();
  }
}

/** Keeps messages of the last half minute and all since NATS was lost, except ticks and seals, which go out of date. */
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

/** Encodes an event as JSON, with each bigint as `{"$bigint": "…"}`. */
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
