import { formatMoney, formatPrice, formatRate } from "@fairtick/domain";
import type { Instrument } from "@fairtick/protocol";
import type { InstrumentView } from "./list-instruments.ts";

/** Converts an instrument to the form of calls and the stream. */
export function presentInstrument(view: InstrumentView): Instrument {
  const { terms, newest } = view;
  const price = (points: Parameters<typeof formatPrice>[0]) => formatPrice(points, terms.decimals);
  return {
    symbol: terms.symbol,
    name: terms.name,
    kind: terms.kind,
    decimals: terms.decimals,
    open: view.open,
    suspended: terms.suspended,
    nextChange: view.nextChange === null ? null : Number(view.nextChange),
    minStake: formatMoney(terms.minStake),
    maxStake: formatMoney(terms.maxStake),
    feeRate: formatRate(terms.feeRate),
    durations: terms.durations.map((offer) => ({ seconds: offer.seconds, payoutRate: formatRate(offer.payoutRate) })),
    price: newest && price(newest.price),
    priceAt: newest && Number(newest.time),
    seq: newest && Number(newest.seq),
    dayOpen: view.dayOpen === null ? null : price(view.dayOpen),
    changeToday: view.changeToday === null ? null : formatRate(view.changeToday),
    spark: view.spark.map(price),
    source: view.source,
    ...(view.examplesUntil !== null && { examplesUntil: Number(view.examplesUntil) }),
    ...(view.waitsFor !== null && { waitsFor: view.waitsFor }),
    ...(terms.title !== undefined && { title: terms.title }),
    ...(terms.titles !== undefined && { titles: terms.titles }),
  };
}
