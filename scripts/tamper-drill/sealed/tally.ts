import { compareWins, isBeyond, type Share, type WinCount, winShare } from "@fairtick/transparency";
import type { PublicRecord } from "./public-record.ts";
import type { Answer } from "./device.ts";
import type { Direction } from "@fairtick/domain";

/** What became of the orders that were taken, and what would have become of those that were not: both by the public log. */
export interface Tally {
  readonly accepted: WinCount;
  readonly refused: WinCount;
  /** How many got each answer. */
  readonly answers: Readonly<Record<string, number>>;
}

interface Answered {
  readonly direction: Direction;
  readonly sentAt: number;
  readonly answer: Answer;
}

/** An answer takes this long on the way, where it does not say when it was judged. */
const JUDGED_MS = 100;

/** Counts orders; `duration` in seconds. What the log does not decide yet is left out. */
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

/** Adds up rounds of one attack. */
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

/** What a stranger reads in it: whether the taken orders were chosen by how they would end. */
export interface Judgement {
  readonly isChosen: boolean;
  readonly sentence: string;
}

/** Whether accepted and refused orders differ by more than chance gives in 99 of 100 such rounds. */
export function judgeTally({ accepted, refused }: Tally): Judgement {
  if (refused.decided === 0) return judgeCoin(accepted, "accepted orders won, and none was refused");
  const difference = compareWins(accepted, refused);
  const isChosen = isBeyond(difference, 0);
  const said = `won ${rateOf(accepted)} of the accepted and ${rateOf(refused)} of the refused; the difference lies between ${spanOf(difference)}`;
  return { isChosen, sentence: isChosen ? `chosen by outcome: ${said}` : `no choice by outcome: ${said}` };
}

/** Whether so many wins differ from a coin's by more than chance gives in 99 of 100 cases. */
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
