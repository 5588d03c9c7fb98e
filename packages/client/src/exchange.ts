import { failed, readEnvelope, type CallResult } from "./result.ts";

/** Time limit of calls and uploads. Downloads give up when no byte has arrived for this long. */
export const TIMEOUT_MS = 60_000;
/** Pauses before the second and third attempt, in ms. Each is extended by a random amount of up to the same length. */
const RETRY_PAUSES_MS = [300, 1_200];

/** How the calls of members or operators are sent. */
export interface Wire {
  /** Prefix of the path: calls are at `<baseUrl>/<prefix>/<path>`. */
  readonly prefix: "client" | "operator";
  /** Encodes a message without a file as its body and the headers that name its content type. */
  readonly encode: (fields: object) => { readonly body: BodyInit; readonly headers?: Readonly<Record<string, string>> };
  /** Returns who makes the call. Called once per call, so that a retry is sent as the same caller. */
  readonly caller: () => Caller;
}

/** Who makes a call. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  /** Called for a 401 before it returns to the caller. */
  readonly onUnauthorized?: () => void;
}

export interface ExchangeOptions {
  /** Base of the URL; `""` for the page's own origin. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
}

/** Sends calls over one wire. None of these throws. */
export interface Exchange {
  /**
   * Makes a call. `mayRepeat` allows it to be sent again if no readable answer came, but never after an answer of the
   * server.
   */
  call<Value>(path: string, fields: object, mayRepeat: boolean): Promise<CallResult<Value>>;
  /** Makes a call that returns bytes. */
  download(path: string, fields: object, mayRepeat: boolean): Promise<CallResult<Blob>>;
  /** Makes a call that takes a file. */
  upload<Value>(path: string, fields: object, file: Blob): Promise<CallResult<Value>>;
}

/** Reads an answer. `alive` must be called whenever more bytes have arrived. */
type Read<Value> = (response: Response, alive: () => void) => Promise<CallResult<Value>>;

/** Creates the exchange that members' and operators' calls share, with timeout, retries, envelope and bytes. */
export function createExchange(wire: Wire, options: ExchangeOptions): Exchange {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const send = options.fetch ?? ((input, init) => fetch(input, init));

  const attempt = async <Value>(path: string, init: RequestInit, read: Read<Value>): Promise<CallResult<Value>> => {
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
      const response = await send(`${options.baseUrl}/${wire.prefix}/${path}`, { ...init, signal: abort.signal });
      return await read(response, alive);
    } catch {
      return failed(isLate ? "timeout" : "network");
    } finally {
      clearTimeout(timer);
    }
  };

  const ask = async <Value>(
    path: string,
    { body, headers }: ReturnType<Wire["encode"]>,
    mayRepeat: boolean,
    read: Read<Value>,
  ): Promise<CallResult<Value>> => {
    const caller = wire.caller();
    const init: RequestInit = {
      method: "POST",
      headers: { ...headers, ...caller.headers },
      body,
      cache: "no-store",
      credentials: "same-origin",
    };
    let result = await attempt(path, init, read);
    for (const pause of mayRepeat ? RETRY_PAUSES_MS : []) {
      if (result.ok || result.failure.kind !== "network") break;
      await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random())));
      result = await attempt(path, init, read);
    }
    if (!result.ok && result.failure.kind === "unauthorized") caller.onUnauthorized?.();
    return result;
  };

  return {
    call: <Value>(path: string, fields: object, mayRepeat: boolean) =>
      ask<Value>(path, wire.encode(fields), mayRepeat, readAnswer),
    download: (path, fields, mayRepeat) => ask(path, wire.encode(fields), mayRepeat, readDownload),
    upload<Value>(path: string, fields: object, file: Blob) {
      const body = new FormData();
      for (const [name, value] of formOf(fields)) body.set(name, value);
      body.set("file", file);
      return ask<Value>(path, { body }, false, readAnswer);
    },
  };
}

type Sendable = string | number | bigint | boolean | null | undefined;

/** Makes a form from fields, leaving out those without a value. */
export function formOf(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries<Sendable>({ ...fields }))
    if (value !== undefined && value !== null) form.set(name, String(value));
  return form;
}

/** Keeps the status of an answer that nobody can read, which tells it from one that never came. */
async function readAnswer<Value>(response: Response): Promise<CallResult<Value>> {
  const result = readEnvelope<Value>(await response.text());
  return !result.ok && result.failure.kind === "network" ? failed("network", response.status) : result;
}

async function readDownload(response: Response, alive: () => void): Promise<CallResult<Blob>> {
  return response.ok ? readBytes(response, alive) : readEnvelope<Blob>(await response.text());
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
