import { randomInt, randomUUID } from "node:crypto";
import { type Client, createClient } from "@fairtick/client";
import {
  authRegister,
  authSendCode,
  type Order,
  orderDetail,
  orderHistory,
  orderPlace,
  orderPositions,
  type Output,
  userSetTradePassword,
  userSummary,
} from "@fairtick/protocol";
import { readCode } from "../inbox.ts";

export const PASSWORD = "slate-harbour-7421";
export const TRADE_PASSWORD = "482915";

/** A member registered and logged in through the API, for journeys about something else. */
export interface Member {
  readonly email: string;
  readonly token: string;
  readonly client: Client;
  /** What a browser stores for this login. */
  readonly stored: readonly { readonly name: string; readonly value: string }[];
}

export interface NewOrder {
  readonly symbol: string;
  readonly direction: "up" | "down";
  readonly stake: string;
  readonly duration?: number;
  readonly limitPrice?: string;
}

export function productUrl(): string {
  const url = process.env["JOURNEY_URL"];
  if (!url) throw new Error("JOURNEY_URL is set by the global setup");
  return url;
}

/** Returns an address that nobody else uses. */
export function newEmail(): string {
  return `journey-${randomUUID().slice(0, 13)}@example.com`;
}

/** Returns a Brazilian mobile number without its country code. */
export function newPhone(): string {
  return `119${randomInt(10_000_000, 99_999_999)}`;
}

/** Registers a new member, with a transaction password unless told otherwise. */
export async function newMember(
  choice: { readonly region?: string; readonly withTradePassword?: boolean } = {},
): Promise<Member> {
  const email = newEmail();
  const visitor = clientOf(null);
  valueOf(await visitor.call(authSendCode, { channel: "email", to: email, purpose: "register" }));
  const signedIn = valueOf(
    await visitor.call(authRegister, {
      region: choice.region ?? "BR",
      channel: "email",
      email,
      code: await readCode(productUrl(), email),
      password: PASSWORD,
      confirmPassword: PASSWORD,
      acceptTerms: true,
    }),
  );
  const client = clientOf(signedIn.access_token);
  if (choice.withTradePassword !== false) {
    const digits = { password: TRADE_PASSWORD, confirmPassword: TRADE_PASSWORD };
    valueOf(await client.call(userSetTradePassword, { ...digits, loginPassword: PASSWORD }));
  }
  const loginState = { userInfo: signedIn.userInfo, loginAddress: "/pages/index/index" };
  return {
    email,
    token: signedIn.access_token,
    client,
    stored: [
      { name: "exchange2508Token", value: signedIn.access_token },
      { name: "loginState", value: JSON.stringify(loginState) },
    ],
  };
}

/** Returns a client that calls as a member, or as a visitor if the token is null. */
export function clientOf(token: string | null): Client {
  return createClient({ baseUrl: productUrl(), token: () => token, lang: () => "en_US" });
}

type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: { readonly code: number; readonly msg: string | null } };

/** Returns the value of a successful call; throws with the server's message if it was refused. */
export function valueOf<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.failure.code}: ${answer.failure.msg ?? "no answer"}`);
}

/** Places a practice order through the API; its duration is 30 s unless told otherwise. */
export async function placeByCall({ client }: Member, order: NewOrder): Promise<Order> {
  return valueOf(
    await client.call(orderPlace, { wallet: "practice", duration: 30, ...order, clientOrderId: randomUUID() }),
  );
}

export async function orderOf({ client }: Member, orderNo: string): Promise<Order> {
  return valueOf(await client.call(orderDetail, { orderNo }));
}

/** Returns all orders of the practice wallet, running ones first. */
export async function ordersOf({ client }: Member): Promise<readonly Order[]> {
  const running = valueOf(await client.call(orderPositions, { wallet: "practice", limit: 100 }));
  const settled = valueOf(await client.call(orderHistory, { wallet: "practice", limit: 100 }));
  return [...running.items, ...settled.items];
}

export async function summaryOf(
  { client }: Member,
  wallet: "practice" | "real" = "practice",
): Promise<Output<typeof userSummary>> {
  return valueOf(await client.call(userSummary, { wallet }));
}
