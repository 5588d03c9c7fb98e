/** What tells of an attack, as log lines and counters. Nobody can be read from them: accounts and addresses are keyed hashes. */
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

/** Every event once: counters start at 0, or an alert's `increase()` would miss the first of each. */
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

/** Log lines a second of one watch. Everything is counted; a flood does not fill the disk with lines. */
const LINES_PER_SECOND = 50;

/** What a log line says besides the event. `ip` and `account` are written as keyed hashes. */
export interface About extends Readonly<Record<string, string | null | undefined>> {
  readonly ip?: string;
  readonly account?: string | null;
}

export interface SecurityWatch {
  /** Looks at how a call ended, and notes it where it is a sign of an attack. */
  sawCall(call: SeenCall): void;
  note(event: SecurityEvent, about?: About): void;
}

export interface SeenCall {
  /** `auth/login`. */
  readonly path: string;
  /** Null for a call that was answered. */
  readonly error: ErrorName | null;
  readonly ip: string;
  /** What was typed as the account, or the id of who is logged in. */
  readonly account: string | null;
  /** The account has never been logged in to on this device. */
  readonly isNewDevice?: boolean;
}

export interface SecurityWatchParts {
  readonly log: Log;
  readonly secret: Buffer;
  readonly clock: Pick<Clock, "elapsedMs">;
  readonly metrics?: Metrics | undefined;
}

/** Counts and logs the events of one port. `metrics` may be left out where nobody reads them. */
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

/** One counter for both ports of a process. */
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
  // Somebody else's id reads like one that no longer exists; an alert waits for many.
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

/** What stands for the account in a message: of logins and codes. */
export function accountIn(fields: unknown): string | null {
  if (typeof fields !== "object" || fields === null) return null;
  const given = fields as Readonly<Record<string, unknown>>;
  const account = given["account"] ?? given["login"] ?? given["to"] ?? given["email"] ?? given["phone"];
  return typeof account === "string" ? account : null;
}
