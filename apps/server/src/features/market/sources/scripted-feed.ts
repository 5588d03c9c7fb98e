import * as v from "valibot";
import type { Log } from "../../../platform/log.ts";
import type { Feed } from "./feed.ts";
import { parseJsonKeepingNumbers } from "./json-numbers.ts";
import { openLastingSocket } from "./lasting-socket.ts";

const quote = v.object({ symbol: v.string(), price: v.string() });
const SILENCE_MS_MAX = 4_000;

/**
 * Creates a feed of prices from a test's own server (testkit's `startPriceScript`), for sandboxes only. A message
 * `{"symbol":"EURUSD","price":"1.085000"}` is one quote, a message `{}` only a sign of life.
 */
export function createScriptedFeed(parts: { readonly url: string; readonly log: Log }): Feed {
  let socket: { stop(): Promise<void> } | undefined;
  return {
    name: "scripted",
    start(listener) {
      socket = openLastingSocket({
        url: parts.url,
        name: "scripted",
        log: parts.log,
        greetings: [],
        silenceMsMax: SILENCE_MS_MAX,
        onText(text) {
          if (text === "{}") return;
          const said = v.safeParse(quote, parseJsonKeepingNumbers(text));
          if (said.success) listener.quote({ symbol: said.output.symbol, last: said.output.price, order: null });
          else listener.malformed();
        },
      });
    },
    async stop() {
      await socket?.stop();
    },
  };
}
