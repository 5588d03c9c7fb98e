import { compareWins, isBeyond, type Share, type WinCount, winShare } from "@fairtick/transparency";
import type { PublicRecord } from "./public-record.ts";
import type { Answer } from "./device.ts";
import type { Direction } from "@fairtick/domain";

/** How accepted orders ended and how refused ones would have ended, both from the public log. */
export interface Tally {
  readonly accepted: WinCount;
  readonly refused: WinCount;
  /** Number of orders by response. */
  readonly answers: Readonly<Record<string, number>>;
}

interface Answered {
  readonly direction: Direction;
  readonly sentAt: number;
  readonly answer: Answer;
}

/** A response's time in transit, used if it doesn't say when the order was judged. */
const JUDGED_MS = 100;

/** Counts orders; `duration` in seconds. Orders that the log doesn't decide yet are left out. */
export function tally(record: PublicRecord, orders: readonly Answered[], duration: number): Tally {
  const sums = { accepted: { won: 0, decided: 0 }, refused: { won: 0, decided: 0 } };
  const answers: Record<string, number> = {};
  for (const order of orders) {
    const { answer } = order;
    const name =
      answer.kind === "accepted" ? "accepted" : `${answer.error}${answer.refusal === null ? "" : " (signed)"}`;
    answers[name] = (answers[name] ?? 0) + 1;
    const outcome = outcomeOf(record, order, duration);
    if (outcome !== "won" && outcome !== "lost") continue;
    const sum = sums[answer.kind];
    sum.decided += 1;
    if (outcome === "won") sum.won += 1;
  }
  return { ...sums, answers };
}

function outcomeOf(record: PublicRecord, { direction, sentAt, answer }: Answered, duration: number): string | null {
  if (answer.kind === "accepted") {
    const { acceptance } = answer;
    return record.settled(Number(acceptance?.batchNo ?? 0), acceptance?.place ?? 0)?.outcome ?? null;
  }
  return record.decide({ at: answer.refusal?.at ?? sentAt + JUDGED_MS, direction, duration });
}

/** Adds up the rounds of one attack. */
export function addTallies(tallies: readonly Tally[]): Tally {
  const add = (counts: readonly WinCount[]): WinCount => ({
    won: counts.reduce((sum, { won }) => sum + won, 0),
    decided: counts.reduce((sum, { decided }) => sum + decided, 0),
  });
  const answers: Record<string, number> = {};
  for (const each of tallies)
    for (const [name, count] of Object.entries(each.answers)) answers[name] = (answers[name] ?? 0) + count;
  return {
    accepted: add(tallies.map((each) => each.accepted)),
    refused: add(tallies.map((each) => each.refused)),
    answers,
  };
}

/** A stranger's conclusion: whether orders were accepted depending on how they would end. */
export interface Judgement {
  readonly isChosen: boolean;
  readonly sentence: string;
}

/** Judges whether accepted and refused orders differ by more than chance does in 99 of 100 such rounds. */
export function judgeTally({ accepted, refused }: Tally): Judgement {
  if (refused.decided === 0) return judgeCoin(accepted, "accepted orders won, and none was refused");
  const difference = compareWins(accepted, refused);
  const isChosen = isBeyond(difference, 0);
  const said = `won ${rateOf(accepted)} of the accepted and ${rateOf(refused)} of the refused; the difference lies between ${spanOf(difference)}`;
  return { isChosen, sentence: isChosen ? `chosen by outcome: ${said}` : `no choice by outcome: ${said}` };
}

/** Judges whether the wins differ from a coin's by more than chance does in 99 of 100 cases. */
export function judgeCoin(wins: WinCount, of: string): Judgement {
  const share = winShare(wins);
  const isChosen = isBeyond(share, 0.5);
  return {
    isChosen,
    sentence: `${rateOf(wins)} of the ${of}; a share of one half is ${isChosen ? "outside" : "inside"} ${spanOf(share)}`,
  };
}

function rateOf(count: WinCount): string {
  return `${percent(winShare(count).share)} (${count.won} of ${count.decided})`;
}

function spanOf({ from, to }: Share): string {
  return `${percent(from)} and ${percent(to)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
