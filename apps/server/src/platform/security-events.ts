/** What tells of an attack, as log lines and counters. Nobody can be read from them: accounts and addresses are keyed hashes. */
import { createHmac } from "node:crypto";
import type { ErrorName } from "@fairtick/domain";
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
  | "guesses_braked"
  | "limit_hit"
  | "foreign_object"
  | "forbidden"
  | "password_reset"
  | "new_device"
  | "request_turned_away";

export interface SecurityWatch {
  /** Looks at how a call ended, and notes it where it is a sign of an attack. */
  sawCall(call: SeenCall): void;
  note(event: SecurityEvent, about?: Readonly<Record<string, string>>): void;
}

export interface SeenCall {
  /** `auth/login`. */
  readonly path: string;
  /** Null for a call that was answered. */
  readonly error: ErrorName | null;
  readonly ip: string;
  /** What was typed as the account, or the id of who is logged in. */
  readonly account: string | null;
  /** The browser was given a device key by this call. */
  readonly isNewDevice?: boolean;
}

/** Counts and logs the events of one port. `metrics` may be left out where nobody reads them. */
export function createSecurityWatch(
  side: "member" | "operator",
  { log, secret, metrics }: { readonly log: Log; readonly secret: Buffer; readonly metrics?: Metrics | undefined },
): SecurityWatch {
  const counter = metrics === undefined ? null : counterOf(metrics);
  const hidden = (kind: string, text: string) =>
    createHmac("sha256", secret).update(`security ${kind}\0${text}`).digest("base64url").slice(0, 16);
  const note: SecurityWatch["note"] = (event, about = {}) => {
    counter?.inc({ side, event });
    log.warn({ security: event, side, ...about }, "a security event");
  };
  return {
    note,
    sawCall({ path, error, ip, account, isNewDevice = false }) {
      const event = error === null ? eventOfSuccess(path, isNewDevice) : eventOfRefusal(path, error);
      if (event === null) return;
      note(event, {
        path,
        address: hidden("address", clientAddress(ip)),
        ...(account !== null && { account: hidden("account", account) }),
      });
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

const EVENTS: Partial<Readonly<Record<ErrorName, SecurityEvent>>> = {
  BAD_CREDENTIALS: "login_failed",
  BAD_CODE: "code_failed",
  CODE_EXPIRED: "code_failed",
  WRONG_PASSWORD: "password_failed",
  TRADE_PASSWORD_WRONG: "password_failed",
  TOO_MANY_TRIES: "guesses_braked",
  TRADE_PASSWORD_LOCKED: "guesses_braked",
  RATE_LIMITED: "limit_hit",
  NOT_FOUND: "foreign_object",
  FORBIDDEN: "forbidden",
};

function eventOfRefusal(path: string, error: ErrorName): SecurityEvent | null {
  const isBraked = error === "TOO_MANY_TRIES" || error === "RATE_LIMITED";
  return isBraked && LOGINS.has(path) ? "login_braked" : (EVENTS[error] ?? null);
}

function eventOfSuccess(path: string, isNewDevice: boolean): SecurityEvent | null {
  if (path === "auth/resetPassword") return "password_reset";
  return isNewDevice && (path === "auth/login" || path === "session/verifySecondFactor") ? "new_device" : null;
}

/** What stands for the account in a message: of logins and codes. */
export function accountIn(fields: unknown): string | null {
  if (typeof fields !== "object" || fields === null) return null;
  const given = fields as Readonly<Record<string, unknown>>;
  const account = given["account"] ?? given["login"] ?? given["to"] ?? given["email"] ?? given["phone"];
  return typeof account === "string" ? account : null;
}
