import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@fairtick/testkit";
import type { Order, PlacedOrder } from "@fairtick/protocol";
import type { Product } from "../own-product.ts";

/** What the member's phone keeps of the response to their order. */
export interface Kept {
  readonly orderNo: string;
  readonly batchNo: string;
  readonly place: number;
  readonly nonce: string;
  readonly root: string;
}

export interface Answer {
  readonly status: number;
  readonly said: string;
  readonly data: Record<string, unknown>;
}

/** A member who trades only through the public API. */
export interface Member {
  call(path: string, fields: Readonly<Record<string, string>>): Promise<Answer>;
  place(direction: "up" | "down"): Promise<Kept>;
  /** Tries once; null if no orders are accepted. */
  tryToPlace(direction: "up" | "down"): Promise<Kept | null>;
  settled(orderNo: string): Promise<Order>;
}

const RETRY_MS = 500;
const PLACED_MS_MAX = 100_000;
const SETTLED_MS_MAX = 60_000;

export async function logIn({ base, account, password }: Product): Promise<Member> {
  const session: { token?: string } = {};
  let made = 0;

  async function call(path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    const answer = await fetch(`${base}/client/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(session.token !== undefined && { exchange2508Token: session.token }),
      },
      body: new URLSearchParams(fields).toString(),
    });
    const body = (await answer.json()) as { msg?: string; data?: Record<string, unknown> | null };
    const error = body.data?.["error"];
    return {
      status: answer.status,
      said: `${path} answers ${typeof error === "string" ? error : answer.status}: ${body.msg ?? ""}`,
      data: body.data ?? {},
    };
  }

  session.token = String((await call("auth/login", { account, password })).data["access_token"]);
  async function ask(direction: "up" | "down", clientOrderId: string): Promise<Kept | null> {
    const wish = { wallet: "practice", symbol: "EURUSD", direction, stake: "10.00", duration: "30", clientOrderId };
    const { data } = await call("order/place", wish);
    if (!("orderNo" in data)) return null;
    const { orderNo, acceptance } = data as unknown as PlacedOrder;
    return { orderNo, ...acceptance } as Kept;
  }

  function newId(): string {
    made += 1;
    return `tamper-drill-${String(made).padStart(4, "0")}`;
  }

  return {
    call,
    tryToPlace: (direction) => ask(direction, newId()),
    place(direction) {
      const clientOrderId = newId();
      // After an attack, the server accepts orders again once its next check finds the invariants intact.
      const placed = async () => {
        const kept = await ask(direction, clientOrderId);
        if (kept === null) await sleep(RETRY_MS);
        return kept;
      };
      return waitUntil("an acceptance", placed, PLACED_MS_MAX);
    },
    settled: (orderNo) =>
      waitUntil(
        "the settlement",
        async () => {
          const { data } = await call("order/detail", { orderNo });
          return data["state"] === "settled" ? (data as unknown as Order) : null;
        },
        SETTLED_MS_MAX,
      ),
  };
}
