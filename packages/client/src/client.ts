import type { Fields, MemberCall, Output } from "@fairtick/protocol";
import { createExchange, type ExchangeOptions, formOf, type Wire } from "./exchange.ts";
import { isRecord, type CallResult } from "./result.ts";
import type { ServerClock } from "./server-clock.ts";

/** A call of the protocol, or its path alone where its schemas shall not be loaded. */
export type CallName<C extends MemberCall> = C | C["path"];

export interface ClientOptions extends ExchangeOptions {
  /** Asked once for each call: what is sent again goes out as the same member, whoever is logged in by then. */
  readonly token: () => string | null;
  /** Value of the `Lang` header, `en_US`. */
  readonly lang: () => string;
  /** Learns from each answer that bears `serverTime`. */
  readonly clock?: ServerClock;
  /** Told of each 401 before the caller is, with the token that was sent: another may hold by now. */
  readonly onUnauthorized?: (token: string | null) => void;
}

export interface Client {
  /** `call(orderPlace, { … })` or `call<typeof orderPlace>("order/place", { … })`. Never throws. */
  call<C extends MemberCall>(name: CallName<C>, fields: Fields<C>): Promise<CallResult<Output<C>>>;
  /** A call whose answer is bytes. */
  download<C extends MemberCall>(name: CallName<C>, fields: Fields<C>): Promise<CallResult<Blob>>;
  /** A call that takes a file. */
  upload<C extends MemberCall>(name: CallName<C>, fields: Fields<C>, file: Blob): Promise<CallResult<Output<C>>>;
}

/**
 * Makes members' calls. One that has the effect of one however often it is sent (it reads, or bears a client id) is sent
 * again with the very same fields when no readable answer came; never one that the server answered.
 */
export function createClient(options: ClientOptions): Client {
  const exchange = createExchange(memberWire(options), options);
  const learn = <Value>(result: CallResult<Value>): CallResult<Value> => {
    if (result.ok && isRecord(result.value) && typeof result.value["serverTime"] === "number")
      options.clock?.learn(result.value["serverTime"]);
    return result;
  };
  return {
    call: async (name, fields) => learn(await exchange.call(pathOf(name), fields, mayBeRepeated(name, fields))),
    download: (name, fields) => exchange.download(pathOf(name), fields, mayBeRepeated(name, fields)),
    upload: async (name, fields, file) => learn(await exchange.upload(pathOf(name), fields, file)),
  };
}

/** Forms, the member's token in a header. */
function memberWire({ token, lang, onUnauthorized }: ClientOptions): Wire {
  return {
    prefix: "client",
    encode: (fields) => ({ body: formOf(fields) }),
    caller() {
      const sent = token();
      return {
        headers: { Lang: lang(), ...(sent !== null && { exchange2508Token: sent }) },
        onUnauthorized: () => onUnauthorized?.(sent),
      };
    },
  };
}

function pathOf(name: MemberCall | string): string {
  return typeof name === "string" ? name : name.path;
}

/** By path alone only what bears a client id is known to be safe. */
function mayBeRepeated(name: MemberCall | string, fields: object): boolean {
  return typeof name === "string" ? "clientId" in fields || "clientOrderId" in fields : name.idempotent;
}
