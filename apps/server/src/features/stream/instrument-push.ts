import type { Instrument } from "@fairtick/protocol";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

/** What the stream needs of the market to say that an instrument opened, closed, or has new terms. */
export interface InstrumentWatch {
  /** By symbol, something that differs once there is news of it. Asked each second, so that it reads memory alone. */
  states(): ReadonlyMap<string, string>;
  read(): Promise<readonly Instrument[]>;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Looks each second which instruments have news, and pushes those to the sockets that subscribed. Looking instead of
 * being told: sessions open and close, and configurations begin to bind, by time alone. Answers how to stop.
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
    // Only now: what could not be read is news still.
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
