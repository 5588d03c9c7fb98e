import type { Clock } from "@fairtick/domain";
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
 * How long news are also pushed to sockets that subscribe after them: their page may have asked for the instruments
 * before the news and subscribed afterwards. Pages ask for the list again after this time.
 */
const RECENT_MS = 60_000;

/**
 * Checks each second which instruments have news, and pushes them to subscribed sockets. It polls, because sessions open and
 * close and configurations take effect merely by time. Returns a function that stops it.
 */
export function startInstrumentPush(
  connections: Iterable<Connection>,
  watch: InstrumentWatch,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => void {
  let told = watch.states();
  let looking = false;
  const changedAt = new Map<string, number>();
  const known = new WeakSet<Connection>();

  async function look(): Promise<void> {
    const states = watch.states();
    const now = clock.elapsedMs();
    const news = new Set([...states].filter(([symbol, state]) => told.get(symbol) !== state).map(([symbol]) => symbol));
    for (const symbol of news) changedAt.set(symbol, now);
    for (const [symbol, at] of changedAt) if (now - at > RECENT_MS) changedAt.delete(symbol);
    const listening = [...connections].filter(({ topics }) => topics.has("instruments"));
    const due = new Map(listening.map((connection) => [connection, known.has(connection) ? news : changedAt]));
    const isDue = [...due.values()].some(({ size }) => size > 0);
    const instruments = isDue ? await watch.read() : [];
    for (const d of instruments)
      for (const [connection, symbols] of due) if (symbols.has(d.symbol)) connection.send({ t: "instrument", d });
    // Remember these only now, so that instruments that couldn't be read still count as news.
    told = states;
    for (const connection of listening) known.add(connection);
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
