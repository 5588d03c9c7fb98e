/** Signs of attacks, as log lines and counters. They identify no one, since accounts and addresses are keyed hashes. */
import { createHmac } from "node:crypto";
import type { Clock, ErrorName } from "@fairtick/domain";
import { Counter } from "prom-client";
import { clientAddress } from "./client-address.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

export const SECURITY_METRIC = "fairtick_security_events_total";

export type SecurityEvent =
  | "login_failed"
  | "login_braked"
  | "code_failed"
  | "password_failed"
  | "second_factor_failed"
  | "guesses_braked"
  | "limit_hit"
  | "foreign_object"
  | "path_unknown"
  | "forbidden"
  | "token_refused"
  | "password_reset"
  | "new_device"
  | "session_moved"
  | "request_turned_away"
  | "socket_refused";

/** All events. Their counters start at 0; otherwise an alert's `increase()` would miss the first of each kind. */
const ALL: Readonly<Record<SecurityEvent, true>> = {
  login_failed: true,
  login_braked: true,
  code_failed: true,
  second_factor_failed: true,
  password_failed: true,
  guesses_braked: true,
  limit_hit: true,
  foreign_object: true,
  path_unknown: true,
  forbidden: true,
  token_refused: true,
  password_reset: true,
  new_device: true,
  session_moved: true,
  request_turned_away: true,
  socket_refused: true,
};

/** The most log lines a second, so that a flood of events doesn't fill the disk. All events are counted. */
const LINES_PER_SECOND = 50;

/** What a log line contains besides the event. `ip` and `account` are written as keyed hashes. */
export interface About extends Readonly<Record<string, string | null | undefined>> {
  readonly ip?: string;
  readonly account?: string | null;
}

export interface SecurityWatch {
  /** Takes note of how a call ended if that is a sign of an attack. */
  sawCall(call: SeenCall): void;
  note(event: SecurityEvent, about?: About): void;
}

export interface SeenCall {
  /** The call's path: `auth/login`. */
  readonly path: string;
  /** The refusal; null for a call that succeeded. */
  readonly error: ErrorName | null;
  readonly ip: string;
  /** The account as typed, or the id of the person who is logged in. */
  readonly account: string | null;
  /** Whether the account was logged in to on this device for the first time. */
  readonly isNewDevice?: boolean;
}

export interface SecurityWatchParts {
  readonly log: Log;
  readonly secret: Buffer;
  readonly clock: Pick<Clock, "elapsedMs">;
  readonly metrics?: Metrics | undefined;
}

/** Creates a watch that counts and logs the events of one port. Leave `metrics` out if no one reads them. */
export function createSecurityWatch(
  side: "member" | "operator",
  { log, secret, clock, metrics }: SecurityWatchParts,
): SecurityWatch {
  const counter = metrics === undefined ? null : counterOf(metrics);
  for (const event of Object.keys(ALL)) counter?.inc({ side, event }, 0);
  const hidden = (kind: string, text: string) =>
    createHmac("sha256", secret).update(`security ${kind}\0${text}`).digest("base64url").slice(0, 16);
  let second = -1;
  let lines = 0;
  let unlogged = 0;
  const note: SecurityWatch["note"] = (event, { ip, account, ...about } = {}) => {
    counter?.inc({ side, event });
    const current = Math.floor(clock.elapsedMs() / 1_000);
    if (current !== second) [second, lines] = [current, 0];
    lines += 1;
    if (lines > LINES_PER_SECOND) {
      unlogged += 1;
      return;
    }
    const who = {
      ...(ip !== undefined && { address: hidden("address", clientAddress(ip)) }),
      ...(typeof account === "string" && { account: hidden("account", account) }),
    };
    log.warn({ security: event, side, ...about, ...who, ...(unlogged > 0 && { unlogged }) }, "a security event");
    unlogged = 0;
  };
  return {
    note,
    sawCall({ path, error, ip, account, isNewDevice = false }) {
      const event = error === null ? eventOfSuccess(path, isNewDevice) : eventOfRefusal(path, error);
      if (event !== null) note(event, { path, ip, account });
    },
  };
}

/** Returns the counter that both ports of a process share. */
function counterOf(metrics: Metrics): Counter {
  const known = metrics.getSingleMetric(SECURITY_METRIC);
  if (known instanceof Counter) return known;
  return new Counter({
    name: SECURITY_METRIC,
    help: "Signs of an attack, by port and kind",
    labelNames: ["side", "event"],
    registers: [metrics],
  });
}

const LOGINS: ReadonlySet<string> = new Set(["auth/login", "session/login"]);
const RESETS: ReadonlySet<string> = new Set(["auth/resetPassword", "user/resetTradePassword"]);

const EVENTS: Partial<Readonly<Record<ErrorName, SecurityEvent>>> = {
  BAD_CREDENTIALS: "login_failed",
  BAD_CODE: "code_failed",
  CODE_EXPIRED: "code_failed",
  WRONG_PASSWORD: "password_failed",
  TRADE_PASSWORD_WRONG: "password_failed",
  SECOND_FACTOR_WRONG: "second_factor_failed",
  TOO_MANY_TRIES: "guesses_braked",
  TRADE_PASSWORD_LOCKED: "guesses_braked",
  RATE_LIMITED: "limit_hit",
  // Another member's id gets the same answer as one that no longer exists, so the alert waits for many.
  NOT_FOUND: "foreign_object",
  SESSION_EXPIRED: "token_refused",
  FORBIDDEN: "forbidden",
};

function eventOfRefusal(path: string, error: ErrorName): SecurityEvent | null {
  const isBraked = error === "TOO_MANY_TRIES" || error === "RATE_LIMITED";
  return isBraked && LOGINS.has(path) ? "login_braked" : (EVENTS[error] ?? null);
}

function eventOfSuccess(path: string, isNewDevice: boolean): SecurityEvent | null {
  if (RESETS.has(path)) return "password_reset";
  return isNewDevice && (path === "auth/login" || path === "session/verifySecondFactor") ? "new_device" : null;
}

/** Finds the account in the fields of a login or a request for a code. */
export function accountIn(fields: unknown): string | null {
  if (typeof fields !== "object" || fields === null) return null;
  const given = fields as Readonly<Record<string, unknown>>;
  const account = given["account"] ?? given["login"] ?? given["to"] ?? given["email"] ?? given["phone"];
  return typeof account === "string" ? account : null;
}
