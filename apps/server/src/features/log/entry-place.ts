import type { EntryPlace } from "./log-store.ts";

/** Patterns for the number that names an entry of each kind, so that its canonical text needn't be parsed as a whole. */
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

/** Patterns for the subject of entries whose numbers count per subject. */
const ABOUT: Readonly<Record<string, RegExp>> = {
  incident: /"part":"([a-z]+)"/,
  source: /"symbol":"([A-Z0-9]+)"/,
  ticks: /"symbol":"([A-Z0-9]+)"/,
  policy: /"name":"([a-z]+)"/,
};

/** Returns the kind, subject and number by which an entry is looked up. Kinds that never are looked up have number 0. */
export function entryPlace(kind: string, entry: string): EntryPlace {
  const number = NUMBERS[kind]?.exec(entry)?.[1];
  return { about: ABOUT[kind]?.exec(entry)?.[1] ?? "", number: BigInt(number ?? 0) };
}
