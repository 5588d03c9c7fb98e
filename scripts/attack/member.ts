import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@fairtick/testkit";
import { type Answer, type Caller, callerFrom, dataOf, errorOf, form, type Message } from "./request.ts";

export const DEVICE_HEADER = "exchange2508device";
export const TOKEN_HEADER = "exchange2508Token";
export const PASSWORD = "slate-harbour-7421";
/** Also the transaction password of the sandbox's own account. */
export const TRADE_PASSWORD = "246810";
/** The longest wait that a rate limit can ask for; a longer one is reported as a fault. */
const WAIT_MS_MAX = 15_000;

/** A member who logs in again whenever their session has ended. */
export interface Member {
  readonly account: string;
  readonly password: string;
  /** Key of a device on which the member has logged in. */
  readonly device: string;
  /** Returns the token of the newest session. */
  token(): string;
  logIn(): Promise<string>;
  /** Makes a call; waits if a rate limit asks for it and logs in again if the session has ended. */
  call(path: string, fields?: Readonly<Record<string, string>>): Promise<Answer>;
  upload(purpose: string, file: UploadedFile): Promise<Answer>;
}

export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Logs in with an existing account. `caller` is where the member calls from. */
export async function memberOf(caller: Caller, account: string, password: string): Promise<Member> {
  let token = "";
  let device = "new";
  let loggingIn: Promise<string> | null = null;

  async function logInOnce(): Promise<string> {
    const { headers, body } = form({ account, password });
    const sent = () => caller.send("/client/auth/login", { headers: { ...headers, [DEVICE_HEADER]: device }, body });
    const answer = await patiently(sent);
    if (answer.status !== 200) throw new Error(`${account} can't log in: ${answer.status} ${answer.text}`);
    const key = answer.headers[DEVICE_HEADER];
    if (typeof key === "string") device = key;
    token = String(dataOf(answer)["access_token"]);
    return token;
  }
  const logIn = () => {
    // Parallel calls all find that the session has ended: one login serves all of them.
    loggingIn ??= logInOnce().finally(() => {
      loggingIn = null;
    });
    return loggingIn;
  };
  async function send(path: string, message: Message): Promise<Answer> {
    // Send the device with its session, because a token without the device key it was issued to is treated as stolen.
    const sent = () =>
      caller.send(`/client/${path}`, {
        ...message,
        headers: {
          ...message.headers,
          [TOKEN_HEADER]: token,
          ...(device !== "new" && { [DEVICE_HEADER]: device }),
        },
      });
    const answer = await patiently(sent);
    if (errorOf(answer) !== "SESSION_EXPIRED") return answer;
    await logIn();
    return patiently(sent);
  }

  await logIn();
  return {
    account,
    password,
    get device() {
      return device;
    },
    token: () => token,
    logIn,
    call: (path, fields = {}) => send(path, form(fields)),
    upload: (purpose, file) => send("file/upload", uploadOf(purpose, file)),
  };
}

/** Builds a form with one file by hand, so that a hostile file name arrives as it is. */
export function uploadOf(purpose: string, { name, type, bytes }: UploadedFile): Required<Message> {
  const edge = "----attack";
  const part = (head: string) => `--${edge}\r\nContent-Disposition: form-data; ${head}\r\n`;
  return {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${edge}` },
    body: Buffer.concat([
      Buffer.from(`${part('name="purpose"')}\r\n${purpose}\r\n${part('name="name"')}\r\n${name}\r\n`),
      Buffer.from(`${part(`name="file"; filename="${name}"`)}Content-Type: ${type}\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n--${edge}--\r\n`),
    ]),
  };
}

/** Sends again until a rate limit allows it, since attacks test what is behind the limits. */
export async function patiently(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (errorOf(answer) !== "RATE_LIMITED") return answer;
    const { retryAt } = { ...Object(dataOf(answer)["params"]) } as { readonly retryAt?: number };
    const waitMs = (retryAt ?? 0) - Date.now();
    if (waitMs > WAIT_MS_MAX) return answer;
    await sleep(Math.max(waitMs, 50));
  }
}

let made = 0;

/** Returns a mail address that nobody has used in this run or an earlier one. */
export function newAddress(): string {
  made += 1;
  return `attack-${process.pid}-${Date.now().toString(36)}-${made}@example.com`;
}

/** Registers a member as a person would: requests a code, reads it in the sandbox's inbox, logs in. */
export async function newMember(url: string, from: string, account = newAddress()): Promise<Member> {
  const caller = callerFrom(from, url);
  const since = Date.now() - 1_000;
  const wanted = { channel: "email", to: account, purpose: "register" };
  const { headers, body } = form(wanted);
  const device = { [DEVICE_HEADER]: "new" };
  const asked = await patiently(() =>
    caller.send("/client/auth/sendCode", { headers: { ...headers, ...device }, body }),
  );
  if (asked.status !== 200) throw new Error(`no code for ${account}: ${asked.status} ${asked.text}`);
  const code = await waitUntil(`a code for ${account}`, () => codeFor(caller, account, since), 30_000);
  const registered = await patiently(() =>
    caller.send(
      "/client/auth/register",
      form({
        region: "BR",
        channel: "email",
        email: account,
        code,
        password: PASSWORD,
        confirmPassword: PASSWORD,
        acceptTerms: "true",
      }),
    ),
  );
  if (registered.status !== 200) throw new Error(`${account} can't register: ${registered.text}`);
  return memberOf(caller, account, PASSWORD);
}

/** Registers a member with a transaction password, who can trade. */
export async function newTrader(url: string, from: string): Promise<Member> {
  const member = await newMember(url, from);
  const set = await member.call("user/setTradePassword", {
    password: TRADE_PASSWORD,
    confirmPassword: TRADE_PASSWORD,
    loginPassword: PASSWORD,
  });
  if (set.status !== 200) throw new Error(`no transaction password: ${set.text}`);
  return member;
}

async function codeFor(caller: Caller, account: string, since: number): Promise<string | null> {
  const path = `/dev/inbox?to=${encodeURIComponent(account)}`;
  const { text } = await caller.send(path, { method: "GET", headers: { accept: "application/json" } });
  const messages = JSON.parse(text) as readonly { readonly at: number; readonly code?: string }[];
  return messages.find(({ at, code }) => at >= since && code !== undefined)?.code ?? null;
}
