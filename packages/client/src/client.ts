import type { MemberCall, Fields, Output } from "@fairtick/protocol";
import { failed, isRecord, readEnvelope, type CallResult } from "./result.ts";
import type { ServerClock } from "./server-clock.ts";

/** Calls, uploads and downloads give up after this long; a download after as long without a byte. */
export const TIMEOUT_MS = 60_000;
/** Pauses before the second and third attempt, each drawn out by up to as much again. */
const RETRY_PAUSES_MS = [300, 1_200];

/** A call of the protocol, or its path alone where its schemas shall not be loaded. */
export type CallName<C extends MemberCall> = C | C["path"];

export interface ClientOptions {
  /** `""` for the page's own origin. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** Asked once for each call: what is sent again goes out as the same member, whoever is logged in by then. */
  readonly token: () => string | null;
  /** Value of the `Lang` header, `en_US`. */
  readonly lang: () => string;
  /** Learns from each answer that bears `serverTime`. */
  readonly clock?: ServerClock;
  /** Told of each 401 before the caller is, with the token that was sent: another may hold by now. */
  readonly onUnauthorized?: (token: string | null) => void;
  readonly timeoutMs?: number;
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
 * Makes calls. One that has the effect of one however often it is sent (it reads, or bears a client id) is sent
 * again with the very same fields when no readable answer came; never one that the server answered.
 */
export function createClient(options: ClientOptions): Client {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const send = options.fetch ?? ((input, init) => fetch(input, init));

  const attempt = async <Value>(
    path: string,
    body: BodyInit,
    token: string | null,
    read: (response: Response, alive: () => void) => Promise<CallResult<Value>>,
  ): Promise<CallResult<Value>> => {
    const abort = new AbortController();
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      abort.abort();
    };
    let timer = setTimeout(giveUp, timeoutMs);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, timeoutMs);
    };
    try {
      const response = await send(`${options.baseUrl}/client/${path}`, {
        method: "POST",
        headers: { Lang: options.lang(), ...(token !== null && { exchange2508Token: token }) },
        body,
        signal: abort.signal,
        cache: "no-store",
        credentials: "same-origin",
      });
      return await read(response, alive);
    } catch {
      return failed(isLate ? "timeout" : "network");
    } finally {
      clearTimeout(timer);
    }
  };

  const ask = async <Value>(
    path: string,
    body: BodyInit,
    mayRepeat: boolean,
    read: (response: Response, alive: () => void) => Promise<CallResult<Value>>,
  ): Promise<CallResult<Value>> => {
    const token = options.token();
    let result = await attempt(path, body, token, read);
    for (const pause of mayRepeat ? RETRY_PAUSES_MS : []) {
      if (result.ok || result.failure.kind !== "network") break;
      await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random())));
      result = await attempt(path, body, token, read);
    }
    if (!result.ok && result.failure.kind === "unauthorized") options.onUnauthorized?.(token);
    return result;
  };

  const readAnswer = async <Value>(response: Response): Promise<CallResult<Value>> => {
    const result = readEnvelope<Value>(await response.text());
    if (result.ok && isRecord(result.value) && typeof result.value["serverTime"] === "number")
      options.clock?.learn(result.value["serverTime"]);
    return result;
  };

  return {
    call: (name, fields) => ask(pathOf(name), formOf(fields), mayBeRepeated(name, fields), readAnswer),
    download: (name, fields) =>
      ask(pathOf(name), formOf(fields), mayBeRepeated(name, fields), async (response, alive) =>
        response.ok ? readBytes(response, alive) : readEnvelope<Blob>(await response.text()),
      ),
    upload(name, fields, file) {
      const form = new FormData();
      for (const [field, value] of formOf(fields)) form.set(field, value);
      form.set("file", file);
      return ask(pathOf(name), form, false, readAnswer);
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

type Sendable = string | number | bigint | boolean | null | undefined;

function formOf(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries<Sendable>({ ...fields }))
    if (value !== undefined && value !== null) form.set(name, String(value));
  return form;
}

async function readBytes(response: Response, alive: () => void): Promise<CallResult<Blob>> {
  const parts: BlobPart[] = [];
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    alive();
    parts.push(part.value);
  }
  const value = new Blob(parts, { type: response.headers.get("content-type") ?? "" });
  return { ok: true, value, envelope: { code: 200, msg: "", data: value } };
}
