import { setTimeout as sleep } from "node:timers/promises";

/** The responses to the orders of all callers. */
export interface Load {
  /** Client id → order number of each acknowledged order. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Number of refusals by name. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Stops after every caller has finished its current order. */
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: { readonly msg: string; readonly data: { readonly orderNo?: string; readonly error?: string } };
}

const SYMBOLS = ["BTCUSD", "ETHUSD", "SOLUSD", "XRPUSD"];
const DURATION_SECONDS = 30;
const BETWEEN_MS = 15;
const AGAIN_MS = 50;
const ANSWER_MS_MAX = 15_000;
/** Statuses that don't decide an order: “not now”, and a gateway's responses for an absent server. */
const NOT_DECIDED = new Set([500, 502, 503, 504]);

/** Places an order; null if there was no response. */
export async function sendOrder(base: string, token: string, clientOrderId: string): Promise<Answer | null> {
  const number = Number(clientOrderId.split("-").at(-1));
  const fields = new URLSearchParams({
    wallet: "practice",
    symbol: SYMBOLS[number % SYMBOLS.length] ?? "BTCUSD",
    direction: number % 2 === 0 ? "up" : "down",
    stake: "1.00",
    duration: String(DURATION_SECONDS),
    clientOrderId,
  });
  try {
    const answer = await fetch(`${base}/client/order/place`, {
      method: "POST",
      headers: { exchange2508Token: token, Lang: "en_US" },
      body: fields,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  } catch {
    return null;
  }
}

/**
 * Starts callers that place one order after another, alternating between their logins, which callers share. Like the
 * app, they resend an unanswered order under the same client id until it is answered. A client id contains its login's
 * index in `tokens`.
 */
export function startLoad(base: string, tokens: readonly string[], callers: number): Load {
  const acknowledged = new Map<string, string>();
  const refusals = new Map<string, number>();
  const ending = new AbortController();

  async function call(caller: number): Promise<void> {
    for (let order = 0; !ending.signal.aborted; order += 1) {
      const login = (caller + order * callers) % tokens.length;
      const token = tokens[login] ?? "";
      const clientOrderId = `torture-${login}-${order}`;
      for (;;) {
        const answer = await sendOrder(base, token, clientOrderId);
        if (answer === null || NOT_DECIDED.has(answer.status)) {
          await sleep(AGAIN_MS);
          continue;
        }
        const { orderNo, error = String(answer.status) } = answer.body.data;
        if (orderNo === undefined) refusals.set(error, (refusals.get(error) ?? 0) + 1);
        else acknowledged.set(clientOrderId, orderNo);
        break;
      }
      await sleep(BETWEEN_MS);
    }
  }

  const calls = Array.from({ length: callers }, (_, caller) => call(caller));
  return {
    acknowledged,
    refusals,
    async stop() {
      ending.abort();
      await Promise.all(calls);
    },
  };
}
