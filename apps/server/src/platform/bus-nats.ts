import type { BusChannel, BusMessage } from "./bus.ts";
import type { Log } from "./log.ts";

const SUBJECT = "fairtick.bus";

/**
 * Events over NATS, for processes on several machines. The library is loaded only here, where it is
 * wanted. The connection mends itself; what was published while it was away is lost, as the bus allows. `onTrouble` is told
 * while it is away.
 */
export async function natsChannel(
  url: string,
  log: Log,
  onTrouble: (cause: string | undefined) => void = () => undefined,
): Promise<BusChannel> {
  const { connect } = await import("@nats-io/transport-node");
  const { hostname, port, username, password } = new URL(url);
  const connection = await connect({
    servers: `${hostname}:${port === "" ? "4222" : port}`,
    ...(username !== "" && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    name: "fairtick",
    // Own subscribers have the event already, straight from `publish`.
    noEcho: true,
    maxReconnectAttempts: -1,
  });
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === "disconnect") {
        log.warn({ host: hostname }, "NATS is away");
        onTrouble(`NATS at ${hostname} does not answer: prices and orders reach members late`);
      } else if (type === "reconnect") {
        log.info({ host: hostname }, "NATS is back");
        onTrouble(undefined);
      }
    }
  })();
  return {
    send(message) {
      if (!connection.isClosed()) connection.publish(SUBJECT, encodeEvent(message));
    },
    receive(deliver) {
      connection.subscribe(SUBJECT, {
        callback: (error, message) => {
          if (error) log.warn({ err: error }, "the bus lost an event");
          else deliver(decodeEvent(message.string()));
        },
      });
    },
    close: () => connection.drain(),
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
