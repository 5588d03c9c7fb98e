import type { BusEvents, PublishedTick } from "../../platform/bus.ts";
import { type Connection, type EncodedTick, encodeHead, encodeTick, encodeTicks } from "./connection.ts";

/** Ticks that arrive less than this many milliseconds after a frame wait for the next frame. */
export const SLOT_MS = 100;

interface Audience {
  /** The watched instruments; null for all. */
  readonly symbols: ReadonlySet<string> | null;
  readonly connections: Set<Connection>;
}

/** Connections grouped by the choice of instruments that they watch. */
class Audiences {
  readonly #byKey = new Map<string, Audience>();
  readonly #keyOf = new Map<Connection, string>();

  place(connection: Connection): void {
    this.remove(connection);
    const symbols = [...connection.topics].filter((topic) => topic.startsWith("tick:")).map((topic) => topic.slice(5));
    if (symbols.length === 0 || connection.over) return;
    const all = symbols.includes("*");
    const key = all ? "*" : symbols.toSorted((a, b) => (a < b ? -1 : 1)).join(" ");
    const audience = this.#byKey.get(key) ?? { symbols: all ? null : new Set(symbols), connections: new Set() };
    audience.connections.add(connection);
    this.#byKey.set(key, audience);
    this.#keyOf.set(connection, key);
  }

  remove(connection: Connection): void {
    const key = this.#keyOf.get(connection);
    if (key === undefined) return;
    this.#keyOf.delete(connection);
    const audience = this.#byKey.get(key);
    audience?.connections.delete(connection);
    if (audience?.connections.size === 0) this.#byKey.delete(key);
  }

  all(): Iterable<Audience> {
    return this.#byKey.values();
  }
}

export interface TickFanOut {
  /** Files a connection under what it watches. Call it when its topics change and when it closes. */
  place(connection: Connection): void;
  remove(connection: Connection): void;
  take(event: BusEvents["ticks"]): void;
  readonly framesWritten: number;
  close(): void;
}

/**
 * Sends ticks to sockets. The ticks of a slot travel in one frame, and each distinct choice of instruments has its
 * frame built once. `decimalsOf` gives an instrument's decimal places; ticks of unknown symbols are left out.
 */
export function createTickFanOut(options: {
  readonly decimalsOf: (symbol: string) => number | undefined;
  readonly now: () => bigint;
  readonly elapsedMs: () => number;
}): TickFanOut {
  const audiences = new Audiences();
  let gathered: PublishedTick[] = [];
  /** The head of the newest gathered slot, which binds those before it. */
  let head: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastAt = -SLOT_MS;
  let framesWritten = 0;

  const flush = () => {
    timer = undefined;
    lastAt = options.elapsedMs();
    const ticks: EncodedTick[] = [];
    for (const tick of gathered) {
      const decimals = options.decimalsOf(tick.symbol);
      if (decimals !== undefined) ticks.push(encodeTick(tick, decimals));
    }
    gathered = [];
    const newest = head;
    head = undefined;
    const now = options.now();
    for (const { symbols, connections } of audiences.all()) {
      const wanted = symbols === null ? ticks : ticks.filter(({ symbol }) => symbols.has(symbol));
      if (wanted.length === 0) continue;
      const frame = encodeTicks(wanted, now, newest);
      framesWritten += connections.size;
      for (const connection of connections) connection.sendTicks(wanted, frame);
    }
  };

  return {
    place: (connection) => audiences.place(connection),
    remove: (connection) => audiences.remove(connection),
    take({ ticks, head: signed }) {
      gathered.push(...ticks);
      if (signed) head = encodeHead(signed);
      if (gathered.length === 0 || timer !== undefined) return;
      // The market already publishes by slots; only what comes in quicker succession is gathered here.
      const waitMs = lastAt + SLOT_MS * 0.8 - options.elapsedMs();
      if (waitMs <= 0) flush();
      else timer = setTimeout(flush, waitMs);
    },
    get framesWritten() {
      return framesWritten;
    },
    close() {
      clearTimeout(timer);
      gathered = [];
      timer = undefined;
    },
  };
}
