import type { Fields, MemberCall, Output } from "@fairtick/protocol";
import { createExchange, type ExchangeOptions, formOf, type Wire } from "./exchange.ts";
import { isRecord, type CallResult } from "./result.ts";
import type { ServerClock } from "./server-clock.ts";

/** A call of the protocol, or only its path, so that a page doesn't have to load the call's schemas. */
export type CallName<C extends MemberCall> = C | C["path"];

export interface ClientOptions extends ExchangeOptions {
  /** Asked once for each call, so that a repeated call goes out as the same member even if somebody else has logged in. */
  readonly token: () => string | null;
  /** Value of the `Lang` header, `en_US`. */
  readonly lang: () => string;
  /** Learns the server's time from each answer that has `serverTime`. */
  readonly clock?: ServerClock;
  /** Called for each 401 before the caller learns of it, with the token that was sent; another may have replaced it. */
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
 * Makes members' calls. If no readable answer comes, a call is sent again with the very same fields, but only when sending
 * it twice has the same effect as sending it once: it only reads, or it has a client id. A call that the server answered
 * is never repeated.
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

/** Sends calls as forms, with the member's token in a header. */
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

/** Says whether a call is safe to repeat. Of a call known only by its path, a client id is the only sign of that. */
function mayBeRepeated(name: MemberCall | string, fields: object): boolean {
  return typeof name === "string" ? "clientId" in fields || "clientOrderId" in fields : name.idempotent;
}
