import type { Instant } from "@fairtick/domain";
import type { OperatorRole } from "@fairtick/protocol/operator";
import { fromBase32, totp } from "@fairtick/server/features/operators";
import { type Answer, type Caller, errorOf } from "./request.ts";
import { patiently } from "./member.ts";

/** A login of the sandbox, as `/dev/accounts` lists it. */
export interface OperatorLogin {
  readonly account: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly roles: readonly OperatorRole[];
}

/** An operator logged in with both factors, who logs in again when the session has ended. */
export interface Operator {
  readonly login: OperatorLogin;
  /** Returns the cookie of the newest session. */
  cookie(): string;
  logIn(): Promise<void>;
  call(path: string, body?: unknown): Promise<Answer>;
}

const STEP_MS = 30_000n;

/** Sends a message to the console as its own page would; `headers` replace the page's headers. */
export function askConsole(
  caller: Caller,
  origin: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return caller.send(`/operator/${path}`, {
    headers: { "content-type": "application/json", origin, "x-fairtick-console": "1", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Returns the cookie of a session that hasn't given its second factor yet. */
export async function halfSession(
  caller: Caller,
  origin: string,
  { account, password }: OperatorLogin,
): Promise<string> {
  const first = await patiently(() => askConsole(caller, origin, "session/login", { login: account, password }));
  if (first.status !== 200) throw new Error(`${account} can't log in: ${first.status} ${first.text}`);
  return cookiesOf(first);
}

/** Logs in with both factors. */
export async function operatorOf(caller: Caller, origin: string, login: OperatorLogin): Promise<Operator> {
  let cookie = "";
  let step = 0n;
  let loggingIn: Promise<void> | null = null;

  async function logInOnce(): Promise<void> {
    const half = await halfSession(caller, origin, login);
    const now = BigInt(Date.now()) / STEP_MS;
    // Each code opens one session. The codes before and after the current one are valid too.
    for (let next = step < now - 1n ? now - 1n : step + 1n; next <= now + 1n; next += 1n) {
      step = next;
      const code = totp(fromBase32(login.totpSecret), (next * STEP_MS) as Instant);
      const second = await askConsole(caller, origin, "session/verifySecondFactor", { code }, { cookie: half });
      if (second.status === 200) {
        cookie = cookiesOf(second);
        return;
      }
    }
    throw new Error(`${login.account} has no unused code in this half minute`);
  }
  const logIn = () => {
    loggingIn ??= logInOnce().finally(() => {
      loggingIn = null;
    });
    return loggingIn;
  };

  await logIn();
  return {
    login,
    cookie: () => cookie,
    logIn,
    async call(path, body = {}) {
      const sent = () => askConsole(caller, origin, path, body, { cookie });
      const answer = await patiently(sent);
      if (errorOf(answer) !== "SESSION_EXPIRED") return answer;
      await logIn();
      return patiently(sent);
    },
  };
}

/** Returns name and value of every cookie that a response sets, as a browser sends them back. */
function cookiesOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}
