import type { Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Input, MemberCall, Output } from "@fairtick/protocol";
import type { Readable } from "node:stream";
import type { ReceivedFile } from "./receive-upload.ts";
import type { SeenFrom, Session } from "./session.ts";

/** What a handler gets in addition to its feature's context. */
export interface CallRequest<C extends MemberCall> extends SeenFrom {
  readonly input: Input<C>;
  /** The session; for public calls null if no one is logged in. */
  readonly session: [C["access"]] extends ["member"] ? Session : Session | null;
  readonly lang: LanguageCode;
  /** Stores a device key in the browser. */
  readonly keepDeviceKey: (key: string) => void;
  /** Reports that the account was logged in to on a device that it didn't know. */
  readonly noteNewDevice: () => void;
  /** The upload of a call with a file. It is on the disk and removed when the handler is done. */
  readonly file: ReceivedFile | null;
}

/** Handles a call. Returns a verdict, or the value itself if nothing can be refused. Calls with `file: "download"` return a `FileAnswer`. */
export type Handler<C extends MemberCall> = (request: CallRequest<C>) => Answer<Output<C>> | Promise<Answer<Output<C>>>;
type Answer<Value> = Value | Verdict<Value>;

/** A call with its handler. */
export interface Route {
  readonly call: MemberCall;
  readonly handler: (request: CallRequest<MemberCall>) => unknown;
}

/** Makes a route: `route(orderPlace, async ({ input, session }) => …)`. Input, session and answer have the call's types. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- with its own parameter a handler's literals are not widened
export function route<C extends MemberCall, H extends Handler<C> = Handler<C>>(call: C, handler: H): Route {
  // This is safe, because the edge gives the handler only what this call's schema has parsed.
  return { call, handler: handler as unknown as Route["handler"] };
}

/** An answer that consists of bytes instead of the envelope. */
export class FileAnswer {
  readonly body: Uint8Array | string | Readable;
  readonly type: string;
  readonly name: string;

  /** `type` is a media type such as `text/csv; charset=utf-8`. `name` is the name to save it as, in ASCII. */
  constructor(body: Uint8Array | string | Readable, type: string, name: string) {
    this.body = body;
    this.type = type;
    this.name = name;
  }
}
