import type { Fields, MemberCall, Output } from "@fairtick/protocol";
import { createExchange, type ExchangeOptions, formOf, type Wire } from "./exchange.ts";
import { isRecord, type CallResult } from "./result.ts";
import type { ServerClock } from "./server-clock.ts";

/** A call of the protocol, or only its path, so that a page doesn't have to load the call's schemas. */
export type CallName<C extends MemberCall> = C | C["path"];

export interface ClientOptions extends ExchangeOptions {
  /**
   * Returns the session token. Called once per call, so that a retry is sent as the same member even if someone else
   * has logged in.
   */
  readonly token: () => string | null;
  /** Returns the value of the `Lang` header, such as `en_US`. */
  readonly lang: () => string;
  /** Set to the server's time by each answer that has `serverTime`. */
  readonly clock?: ServerClock;
  /**
   * Called for each 401 before it returns to the caller, with the token that was sent, which may have been replaced
   * since.
   */
  readonly onUnauthorized?: (token: string | null) => void;
}

export interface Client {
  /** Makes a call: `call(orderPlace, { … })` or `call<typeof orderPlace>("order/place", { … })`. Never throws. */
  call<C extends MemberCall>(name: CallName<C>, fields: Fields<C>): Promise<CallResult<Output<C>>>;
  /** Makes a call that returns bytes. */
  download<C extends MemberCall>(name: CallName<C>, fields: Fields<C>): Promise<CallResult<Blob>>;
  /** Makes a call that takes a file. */
  upload<C extends MemberCall>(name: CallName<C>, fields: Fields<C>, file: Blob): Promise<CallResult<Output<C>>>;
}

/**
 * Creates a client for members' calls. If no readable answer comes, a call is sent again with exactly the same fields,
 * but only if sending it twice has the same effect as sending it once, because it only reads or has a client id. A call
 * that the server answered is never repeated.
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

/** Returns whether a call is safe to repeat. If only the call's path is known, it must have a client id. */
function mayBeRepeated(name: MemberCall | string, fields: object): boolean {
  return typeof name === "string" ? "clientId" in fields || "clientOrderId" in fields : name.idempotent;
}
