import { createClient, type CallFailure, type CallResult } from "@fairtick/client";
import type { MemberCall, Envelope, Fields, findAvailableLang, Output } from "@fairtick/protocol";
import { currentLanguage, text } from "../shared/i18n.ts";
import { serverClock } from "../shared/server-clock.ts";
import { readStored } from "../shared/storage.ts";
import { sendOrTake } from "./early-answer.ts";

/**
 * Why a call failed. `refused`: the server said no, in the member's language. `network`: no readable answer.
 * `timeout`: none within 60 s. `session`: not logged in, or no longer.
 */
export type FailureKind = "refused" | "network" | "timeout" | "session";

export class CallError extends Error {
  readonly kind: FailureKind;
  readonly code: number;
  /** Name, fields and figures of a refusal; null without a readable answer. */
  readonly failure: CallFailure | null;
  constructor(kind: FailureKind, message: string, code = 0, failure: CallFailure | null = null) {
    super(message);
    this.name = "CallError";
    this.kind = kind;
    this.code = code;
    this.failure = failure;
  }
}

const sessionEndWatchers = new Set<(token: string | null) => void>();

/** Calls `watcher` with the token of a call when its answer says that the token is no longer valid. */
export function onUnauthorized(watcher: (token: string | null) => void): () => void {
  sessionEndWatchers.add(watcher);
  return () => sessionEndWatchers.delete(watcher);
}

const client = createClient({
  baseUrl: "",
  fetch: sendOrTake,
  token: () => readStored("exchange2508Token"),
  lang: () => currentLanguage().lang,
  clock: serverClock,
  onUnauthorized: tellUnauthorized,
});

/** Notifies those watchers. Also for requests that don't go through the client. */
export function tellUnauthorized(token: string | null): void {
  for (const watcher of sessionEndWatchers) watcher(token);
}

/** Returns an error with the specification's message, or the server's own if it sent one. */
export function errorOf(failure: CallFailure): CallError {
  switch (failure.kind) {
    case "network":
      return new CallError("network", text("common.networkError"), failure.code);
    case "timeout":
      return new CallError("timeout", text("common.timedOut"));
    case "unauthorized":
      return new CallError("session", failure.msg ?? text("common.loginExpired"), failure.code, failure);
    case "refused":
      return new CallError("refused", failure.msg ?? text("common.serverError"), failure.code, failure);
  }
}

function valueOf<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  throw errorOf(result.failure);
}

/**
 * Makes one call: `ask<typeof authLogin>("auth/login", { account, password })`.
 * @throws CallError whose message can be shown as it is.
 */
export async function ask<C extends MemberCall>(path: C["path"], fields: Fields<C>): Promise<Output<C>> {
  return valueOf(await client.call<C>(path, fields));
}

/**
 * Makes a call whose answer is a file. A refusal still comes as an envelope.
 * @throws CallError whose message can be shown as it is.
 */
export async function askBytes<C extends MemberCall>(path: C["path"], fields: Fields<C>): Promise<Blob> {
  return valueOf(await client.download<C>(path, fields));
}

/** Returns the whole answer of the languages call, including the envelope, because it is stored as it came. */
export async function askLanguages(): Promise<Envelope<Output<typeof findAvailableLang>>> {
  const result = await client.call<typeof findAvailableLang>("multiLang/findAvailableLang", {});
  if (result.ok) return result.envelope;
  throw errorOf(result.failure);
}
