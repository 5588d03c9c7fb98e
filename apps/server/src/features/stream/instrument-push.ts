import type { Instrument } from "@fairtick/protocol";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

/** What the stream needs from the market to push an instrument that opened, closed or got new terms. */
export interface InstrumentWatch {
  /**
   * Returns a text for each symbol, which changes when the instrument has news. Called each second, so it must read
   * memory only.
   */
  states(): ReadonlyMap<string, string>;
  read(): Promise<readonly Instrument[]>;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Checks each second which instruments have news, and pushes them to subscribed sockets. It polls, because sessions open and
 * close and configurations take effect merely by time. Returns a function that stops it.
 */
export function startInstrumentPush(connections: Iterable<Connection>, watch: InstrumentWatch, log: Log): () => void {
  let told = watch.states();
  let looking = false;

  async function look(): Promise<void> {
    const states = watch.states();
    const news = new Set([...states].filter(([symbol, state]) => told.get(symbol) !== state).map(([symbol]) => symbol));
    if (news.size === 0) return;
    const listening = [...connections].filter(({ topics }) => topics.has("instruments"));
    const instruments = listening.length === 0 ? [] : await watch.read();
    for (const d of instruments)
      if (news.has(d.symbol)) for (const connection of listening) connection.send({ t: "instrument", d });
    // Remember the states only now, so that instruments that couldn't be read still count as news.
    told = states;
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => log.warn({ err: error }, "instruments to push could not be read"))
      .finally(() => {
        looking = false;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
