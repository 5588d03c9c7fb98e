import type { Call, Failure, Fields, Output } from "@fairtick/protocol";
import { currentLanguage, text } from "../shared/i18n.ts";
import { readStored } from "../shared/storage.ts";
import { learnServerTime } from "../shared/server-clock.ts";

/** Calls, uploads and downloads give up after this long. */
const TIMEOUT_MS = 60_000;

/**
 * Why a call has no answer to show. `refused`: the server said no, in the member's language.
 * `network`: no readable answer. `timeout`: none within 60 s. `session`: not logged in, or no longer.
 */
export type FailureKind = "refused" | "network" | "timeout" | "session";

export class CallError extends Error {
  readonly kind: FailureKind;
  readonly code: number;
  readonly failure: Failure | null;
  constructor(kind: FailureKind, message: string, code = 0, failure: Failure | null = null) {
    super(message);
    this.name = "CallError";
    this.kind = kind;
    this.code = code;
    this.failure = failure;
  }
}

const sessionEndWatchers = new Set<() => void>();

/** Called when an answer says that the token no longer holds. */
export function onUnauthorized(watcher: () => void): () => void {
  sessionEndWatchers.add(watcher);
  return () => sessionEndWatchers.delete(watcher);
}

function formOf(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields) as [string, string | number | bigint | boolean | undefined][]) {
    if (value !== undefined) form.set(name, String(value));
  }
  return form;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

async function post(path: string, fields: object): Promise<Response> {
  const token = readStored("exchange2508Token");
  try {
    return await fetch(`/client/${path}`, {
      method: "POST",
      headers: { Lang: currentLanguage().lang, ...(token !== null && { exchange2508Token: token }) },
      body: formOf(fields),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      throw new CallError("timeout", text("common.timedOut"));
    }
    throw new CallError("network", text("common.networkError"));
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new CallError("network", text("common.networkError"));
  }
}

/** The envelope if it bears 200. @throws CallError otherwise; a 401 ends the session. */
function openEnvelope(envelope: unknown): Record<string, unknown> {
  if (!isRecord(envelope) || typeof envelope["code"] !== "number") {
    throw new CallError("network", text("common.networkError"));
  }
  const code = envelope["code"];
  if (code === 200) return envelope;
  const message =
    typeof envelope["msg"] === "string" && envelope["msg"] !== "" ? envelope["msg"] : text("common.serverError");
  const failure = isRecord(envelope["data"]) ? (envelope["data"] as unknown as Failure) : null;
  if (code === 401) {
    for (const watcher of sessionEndWatchers) watcher();
    throw new CallError("session", message, code, failure);
  }
  throw new CallError("refused", message, code, failure);
}

/** The whole envelope of an answer, for what must be kept as it came. */
export async function askEnvelope(path: string, fields: object): Promise<Record<string, unknown>> {
  return openEnvelope(await readJson(await post(path, fields)));
}

function learnFrom(data: unknown): void {
  if (isRecord(data) && typeof data["serverTime"] === "number") learnServerTime(data["serverTime"]);
}

/**
 * Makes one call: `ask<typeof authLogin>("auth/login", { account, password })`.
 * @throws CallError whose message can be shown as it is.
 */
export async function ask<C extends Call>(path: C["path"], fields: Fields<C>): Promise<Output<C>> {
  const data = (await askEnvelope(path, fields))["data"] as Output<C>;
  learnFrom(data);
  // The server answers by the same schema that the type comes from.
  return data;
}

/**
 * Makes a call whose answer is a file. A refusal still comes as an envelope.
 * @throws CallError whose message can be shown as it is.
 */
export async function askBytes<C extends Call>(path: C["path"], fields: Fields<C>): Promise<Blob> {
  const response = await post(path, fields);
  if (response.headers.get("content-type")?.startsWith("application/json")) {
    openEnvelope(await readJson(response));
    throw new CallError("network", text("common.networkError"));
  }
  if (!response.ok) throw new CallError("network", text("common.serverError"), response.status);
  try {
    return await response.blob();
  } catch {
    throw new CallError("network", text("common.networkError"));
  }
}
