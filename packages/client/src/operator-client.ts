import type { OperatorCall, Output, Sent } from "@fairtick/protocol/operator";
import { createExchange, type ExchangeOptions, type Wire } from "./exchange.ts";
import type { CallResult } from "./result.ts";

/**
 * Calls of the back office. They are never repeated automatically, because each leaves a row in the audit trail. None
 * of them throws.
 */
export interface OperatorClient {
  call<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<CallResult<Output<C>>>;
  /** Makes a call that returns bytes. */
  download<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<CallResult<Blob>>;
  /** Makes a call that takes a file; its fields are sent as a form. */
  upload<C extends OperatorCall>(
    call: C,
    fields: Readonly<Record<string, string>>,
    file: Blob,
  ): Promise<CallResult<Output<C>>>;
}

/** Sends JSON. The session is in a cookie; the header is one that no other site's form or link can send. */
const OPERATOR_WIRE: Wire = {
  prefix: "operator",
  encode: (fields) => ({ body: JSON.stringify(fields), headers: { "content-type": "application/json" } }),
  caller: () => ({ headers: { "x-fairtick-console": "1" } }),
};

/** Creates the client for the back office's calls, made from a page of the console. */
export function createOperatorClient(options: ExchangeOptions): OperatorClient {
  const exchange = createExchange(OPERATOR_WIRE, options);
  return {
    call: (call, sent) => exchange.call(call.path, sent, false),
    download: (call, sent) => exchange.download(call.path, sent, false),
    upload: (call, fields, file) => exchange.upload(call.path, fields, file),
  };
}
