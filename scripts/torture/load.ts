import { setTimeout as sleep } from "node:timers/promises";

/** What was answered to the orders of all callers. */
export interface Load {
  /** Client id → order number, of each order whose acceptance was answered. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Names of refusals, and how often each was met. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Lets every caller finish the order that they are at. */
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
/** "Not now", and a gateway's words for a server that is away. */
const NOT_DECIDED = new Set([500, 502, 503, 504]);

/** Places an order; null where no answer came. */
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
 * Callers who share the logins, place one order after another by turns for each of theirs, and send what was not answered
 * again under the same client id until it is, as the app does. A client id names its login by its place in `tokens`.
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
