import type { EntryPlace } from "./log-store.ts";

/** What names an entry of each kind, read out of its canonical text without parsing all of it. */
const NUMBERS: Readonly<Record<string, RegExp>> = {
  "orders.accept": /"batch":([0-9]+),/,
  "orders.settle": /"settledAt":([0-9]+),"v":[12]\}$/,
  heads: /"from":([0-9]+),/,
  ticks: /"time":([0-9]+),/,
  config: /"version":([0-9]+)\}$/,
  policy: /"version":([0-9]+)\}$/,
  liabilities: /"day":([0-9]+),/,
  source: /"since":([0-9]+),/,
  "params.pyth": /"since":([0-9]+),/,
  incident: /"to":([0-9]+),/,
  release: /"at":([0-9]+),/,
  "device.add": /"at":([0-9]+),/,
  "device.remove": /"at":([0-9]+),/,
  "epoch.commit": /"e":([0-9]+),/,
  "epoch.open": /"e":([0-9]+),/,
  "epoch.reveal": /"e":([0-9]+),/,
};

/** Of kinds that are counted by what they are about. */
const ABOUT: Readonly<Record<string, RegExp>> = {
  incident: /"part":"([a-z]+)"/,
  source: /"symbol":"([A-Z0-9]+)"/,
  ticks: /"symbol":"([A-Z0-9]+)"/,
  policy: /"name":"([a-z]+)"/,
};

/** Kinds that are never looked up by a number have 0. */
export function entryPlace(kind: string, entry: string): EntryPlace {
  const number = NUMBERS[kind]?.exec(entry)?.[1];
  return { about: ABOUT[kind]?.exec(entry)?.[1] ?? "", number: BigInt(number ?? 0) };
}
