import { ROUND_SIGNATURE_BYTES } from "./beacon.ts";
import type { LogEntry, LogEntryKind, LogEntryOf } from "./log-entry.ts";
import { checkAcceptance, checkSettled } from "./order-entry.ts";
import { demand } from "./shape.ts";

/** Checks of relations between the fields of one entry, for each kind that has any. */
const CHECKS: { readonly [Kind in LogEntryKind]?: (entry: LogEntryOf<Kind>) => void } = {
  ticks: checkTicks,
  heads: checkHeads,
  params: checkParams,
  "params.pyth": checkPythParams,
  "epoch.reveal": checkRounds,
  incident: checkIncident,
  "orders.accept": checkAcceptance,
  "orders.settle": checkSettlement,
};

/** Checks the relations between the fields of an entry. Throws ShapeError. */
export function checkFigures(entry: LogEntry): void {
  const check = CHECKS[entry.kind] as ((entry: LogEntry) => void) | undefined;
  check?.(entry);
}

function checkTicks({ count, from, to, time, sources }: LogEntryOf<"ticks">): void {
  demand(count > 0 && to - from + 1 === count, "entry.count is not to − from + 1");
  demand(time % 60_000n === 0n, "entry.time is no minute");
  const sinces = sources?.map(({ since }) => since);
  const rise = sinces?.every((since, place) => place === 0 || since > (sinces[place - 1] ?? since));
  demand(sinces === undefined || (rise === true && sinces.length > 0), "entry.sources do not follow one another");
}

function checkHeads({ batches, from, heads, ticks, to }: LogEntryOf<"heads">): void {
  const { length } = heads;
  demand(from > 0 && to - from + 1 === length, "entry.heads are not from … to");
  const counts = [...ticks.values()];
  const fits = batches.length === length && counts.every((each) => each.length === length + 1);
  demand(fits, "entry.batches and entry.ticks are not one for each head");
}

function checkParams({ beacon, model }: LogEntryOf<"params">): void {
  demand((model === "SM2") === (beacon !== undefined), "entry.beacon is SM2's alone, which has one");
  demand(beacon === undefined || beacon.period > 0n, "entry.beacon.period is none");
}

function checkPythParams({ guardians, quorum }: LogEntryOf<"params.pyth">): void {
  demand(quorum * 2 > guardians.length && quorum <= guardians.length, "entry.quorum is no majority");
}

function checkRounds({ rounds }: LogEntryOf<"epoch.reveal">): void {
  const length = rounds?.signatures.length ?? 0;
  demand(length % ROUND_SIGNATURE_BYTES === 0, "entry.rounds.signatures are not of 48 bytes each");
}

function checkIncident({ at, from, part, symbol, to }: LogEntryOf<"incident">): void {
  demand(from < to && to <= at, "entry.from, entry.to and entry.at do not follow one another");
  demand((symbol !== undefined) === (part === "source"), "entry.symbol goes with a source");
}

function checkSettlement({ orders }: LogEntryOf<"orders.settle">): void {
  demand(orders.length > 0, "entry.orders are none");
  for (const order of orders) checkSettled(order);
}
