import type { Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Input, MemberCall, Output } from "@fairtick/protocol";
import type { Readable } from "node:stream";
import type { ReceivedFile } from "./receive-upload.ts";
import type { SeenFrom, Session } from "./session.ts";

/** What a handler is given, beside the context that its feature holds. */
export interface CallRequest<C extends MemberCall> extends SeenFrom {
  readonly input: Input<C>;
  /** Of public calls null where nobody is logged in. */
  readonly session: [C["access"]] extends ["member"] ? Session : Session | null;
  readonly lang: LanguageCode;
  /** Has the browser keep a device key. */
  readonly keepDeviceKey: (key: string) => void;
  /** Says that the account was logged in to on a device that it did not know. */
  readonly noteNewDevice: () => void;
  /** The upload, of calls that take one: on the disk, removed when the handler is done. */
  readonly file: ReceivedFile | null;
}

/** Answers a verdict, or the value itself where nothing can be refused. Calls with `file: "download"` answer a `FileAnswer`. */
export type Handler<C extends MemberCall> = (request: CallRequest<C>) => Answer<Output<C>> | Promise<Answer<Output<C>>>;
type Answer<Value> = Value | Verdict<Value>;

/** One call with what answers it. */
export interface Route {
  readonly call: MemberCall;
  readonly handler: (request: CallRequest<MemberCall>) => unknown;
}

/** `route(orderPlace, async ({ input, session }) => …)`: input, session and answer have the call's types. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- with its own parameter a handler's literals are not widened
export function route<C extends MemberCall, H extends Handler<C> = Handler<C>>(call: C, handler: H): Route {
  // The edge hands the handler what this very call's schema gave.
  return { call, handler: handler as unknown as Route["handler"] };
}

/** Bytes instead of the envelope. */
export class FileAnswer {
  readonly body: Uint8Array | string | Readable;
  readonly type: string;
  readonly name: string;

  /** `type` as in `text/csv; charset=utf-8`; `name` is what the browser saves it as, ASCII. */
  constructor(body: Uint8Array | string | Readable, type: string, name: string) {
    this.body = body;
    this.type = type;
    this.name = name;
  }
}
