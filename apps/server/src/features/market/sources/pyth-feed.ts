import { type Clock, formatDecimal } from "@fairtick/domain";
import {
  isInPythTree,
  isSure,
  openVaa,
  parsePythPrice,
  parsePythUpdate,
  type PythLeaf,
  type PythPrice,
  type PythRoot,
  type PythSigners,
  SIGNED_SOURCE,
  type SignedQuote,
} from "@fairtick/transparency";
import * as v from "valibot";
import type { Log } from "../../../platform/log.ts";
import type { Feed, FeedListener, RawQuote, Rejection } from "./feed.ts";
import { parseJsonKeepingNumbers } from "./json-numbers.ts";
import { openLastingEvents } from "./lasting-events.ts";
import type { PythInstrument } from "./pyth-params.ts";
import { signedOrder } from "./signed-order.ts";

export interface PythFeedParts {
  /** Address of Hermes, without a slash at the end. */
  readonly url: string;
  readonly key: string | null;
  readonly signers: PythSigners;
  /** Instruments by their feed's id, 64 hexadecimal digits. */
  readonly instruments: ReadonlyMap<string, PythInstrument>;
  readonly log: Log;
  readonly clock: Clock;
  /** Only after a connection has lasted this long, in ms, is the next one quick again; 10 s by default. */
  readonly stableMs?: number;
}

/** Pythnet makes a slot each 400 ms, and Hermes sends an update for each. */
const SILENCE_MS_MAX = 6_000;
/** How old a price may be on arrival, and how far ahead of this clock its time may be. */
const AGE_MS_MAX = 5_000n;
const AHEAD_MS_MAX = 2_000n;

const price = v.object({ price: v.string(), conf: v.string(), expo: v.string(), publish_time: v.string() });
const message = v.object({
  binary: v.object({ encoding: v.literal("hex"), data: v.array(v.string()) }),
  parsed: v.nullish(v.array(v.object({ id: v.string(), price }))),
});
type Parsed = NonNullable<v.InferOutput<typeof message>["parsed"]>[number]["price"];
/** The unsigned prices that Hermes sends along with an update, by their feed's id. */
type ToldPrices = Map<string, Parsed>;

/**
 * Creates a feed of Pyth's prices from Hermes by server-sent events. Only signed prices count: each update's signatures, tree
 * and prices are verified here, and the unsigned prices sent beside them must be the same.
 */
export function createPythFeed(parts: PythFeedParts): Feed {
  return new PythFeed(parts);
}

class PythFeed implements Feed {
  readonly name = SIGNED_SOURCE;
  readonly #parts: PythFeedParts;
  #events: { stop(): Promise<void> } | undefined;

  constructor(parts: PythFeedParts) {
    this.#parts = parts;
  }

  start(listener: FeedListener): void {
    const { url, key, instruments, log, stableMs } = this.#parts;
    const ids = [...instruments.keys()].map((id) => `ids[]=${id}`).join("&");
    this.#events = openLastingEvents({
      url: `${url}/v2/updates/price/stream?${ids}&encoding=hex&parsed=true`,
      name: SIGNED_SOURCE,
      log,
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      silenceMsMax: SILENCE_MS_MAX,
      stableMs,
      onData: (data) => {
        this.#read(data, listener);
      },
      onMalformed: () => {
        listener.malformed();
      },
    });
  }

  async stop(): Promise<void> {
    await this.#events?.stop();
  }

  #read(text: string, listener: FeedListener): void {
    const said = v.safeParse(message, parseJsonKeepingNumbers(text));
    if (!said.success) {
      listener.malformed();
      return;
    }
    const told: ToldPrices = new Map(said.output.parsed?.map(({ id, price: of }) => [id, of]));
    for (const hex of said.output.binary.data) this.#readUpdate(hex, told, listener);
    // A price without a signature proves nothing, so refuse it.
    for (const id of told.keys()) {
      const instrument = this.#parts.instruments.get(id);
      if (instrument !== undefined) listener.refused("unsigned", [{ symbol: instrument.symbol, order: null }]);
    }
  }

  /** Reads an update's signed prices, and removes from `told` the prices that it confirms. */
  #readUpdate(hex: string, told: ToldPrices, listener: FeedListener): void {
    const update = /^(?:[0-9a-f]{2})+$/.test(hex) ? parsePythUpdate(Buffer.from(hex, "hex")) : null;
    if (update === null) {
      listener.malformed();
      return;
    }
    const opened = openVaa(update.vaa, this.#parts.signers);
    if (!opened.ok) {
      if (opened.fault === "malformed") listener.malformed();
      else listener.refused(opened.fault, this.#symbolsIn(update.leaves));
      for (const { message: signed } of update.leaves) told.delete(parsePythPrice(signed)?.id ?? "");
      return;
    }
    for (const leaf of update.leaves) this.#readLeaf({ ...leaf, vaa: update.vaa }, opened.signed, told, listener);
  }

  /** Returns which instruments an update is about. Its prices are left out: if its signatures don't hold, nobody said them. */
  #symbolsIn(leaves: readonly PythLeaf[]): RawQuote[] {
    return leaves.flatMap((leaf) => {
      const instrument = this.#parts.instruments.get(parsePythPrice(leaf.message)?.id ?? "");
      return instrument === undefined ? [] : [{ symbol: instrument.symbol, order: null }];
    });
  }

  /** Reads one signed price, and removes it from `told`. */
  #readLeaf(signed: SignedQuote, root: PythRoot, told: ToldPrices, listener: FeedListener): void {
    const said = parsePythPrice(signed.message);
    if (said === null) {
      listener.malformed();
      return;
    }
    const beside = told.get(said.id);
    told.delete(said.id);
    const instrument = this.#parts.instruments.get(said.id);
    if (instrument === undefined) {
      listener.refused("unknownInstrument");
      return;
    }
    const reason = this.#reasonAgainst(signed, said, beside, root, instrument);
    const order = signedOrder(said.publishTime, root.slot);
    const quote = { symbol: instrument.symbol, last: decimalOf(said), order };
    if (reason !== null) listener.refused(reason, [quote]);
    else listener.quote({ ...quote, signed });
  }

  #reasonAgainst(
    leaf: PythLeaf,
    said: PythPrice,
    beside: Parsed | undefined,
    { root }: PythRoot,
    { confMax }: PythInstrument,
  ): Rejection | null {
    if (!isInPythTree(leaf, root)) return "notInTree";
    if (beside !== undefined && !isSame(said, beside)) return "notAsSigned";
    const age = this.#parts.clock.now() - said.publishTime * 1000n;
    if (age > AGE_MS_MAX) return "old";
    if (age < -AHEAD_MS_MAX) return "ahead";
    if (said.price < 0n) return "negative";
    if (said.price === 0n) return "zero";
    return isSure(said, BigInt(confMax)) ? null : "unsure";
  }
}

function isSame({ price: signed, conf, expo, publishTime }: PythPrice, told: Parsed): boolean {
  return (
    told.price === signed.toString() &&
    told.conf === conf.toString() &&
    told.expo === expo.toString() &&
    told.publish_time === publishTime.toString()
  );
}

/** Returns price × 10^expo as exact decimal text. */
function decimalOf({ price: signed, expo }: PythPrice): string {
  const places = Math.min(Math.max(-expo, 0), 40);
  const whole = Math.min(Math.max(expo, 0), 40);
  return formatDecimal(signed * 10n ** BigInt(whole), places);
}
