import { describe, expect, it } from "vitest";
import type { KeptRuns } from "./kept-runs.ts";
import { writeReport } from "./report.ts";
import { addTallies, judgeCoin, judgeTally, type Tally } from "./sealed/tally.ts";

const tallyOf = (accepted: [number, number], refused: [number, number]): Tally => ({
  accepted: { won: accepted[0], decided: accepted[1] },
  refused: { won: refused[0], decided: refused[1] },
  answers: { accepted: accepted[1], "LATE (signed)": refused[1] },
});

describe("the judgement of two win rates", () => {
  it("finds no choice if both are like a coin's", () => {
    const { isChosen, sentence } = judgeTally(tallyOf([503, 1_000], [490, 1_000]));
    expect(isChosen).toBe(false);
    expect(sentence).toBe(
      "no choice by outcome: won 50.3 % (503 of 1000) of the accepted and 49.0 % (490 of 1000) of the refused; the difference lies between -4.4 % and 7.0 %",
    );
  });

  it("finds a choice if the refused orders would have won", () => {
    expect(judgeTally(tallyOf([0, 110], [132, 132]))).toMatchObject({ isChosen: true });
  });

  it("compares with a coin if nothing was refused or there is only one group", () => {
    expect(judgeTally(tallyOf([520, 1_000], [0, 0]))).toMatchObject({ isChosen: false });
    expect(judgeCoin({ won: 0, decided: 12 }, "orders won")).toMatchObject({ isChosen: true });
  });

  it("adds up rounds", () => {
    expect(addTallies([tallyOf([1, 2], [3, 4]), tallyOf([5, 6], [7, 8])])).toEqual({
      accepted: { won: 6, decided: 8 },
      refused: { won: 10, decided: 12 },
      answers: { accepted: 8, "LATE (signed)": 12 },
    });
  });
});

describe("the page", () => {
  const none = { notices: [], answers: null, judgement: null, seconds: 1 };
  const judgement = { isChosen: false, sentence: "no choice by outcome: …" };
  const runs: KeptRuns = {
    open: {
      seed: {
        at: "2026-11-24T10:00:00.000Z",
        load: 1.5,
        results: [{ what: "bend | a seed", refused: null, notices: [], seconds: null }],
      },
    },
    sealed: {
      one: {
        at: "2026-11-25T10:00:00.000Z",
        load: 2,
        results: [
          { ...none, what: "unseen" },
          { ...none, what: "blind", judgement, answers: { accepted: 1_200, NOT_NOW: 800 } },
        ],
      },
    },
  };

  it("says when each step ran and how busy the machine was", () => {
    const page = writeReport(runs);
    expect(page).toContain("Run on 2026-11-25, at a load average of 2 to 2.");
    expect(page).toContain("The attacks that choose among orders met 2,000 of them.");
    expect(page).toContain("Run on 2026-11-24, at a load average of 1.5 to 1.5.");
  });

  it("shows what nobody noticed, separately from what nobody needs to notice", () => {
    const page = writeReport(runs);
    expect(page).toContain("| unseen | **NOT NOTICED** | – | – | – |");
    expect(page).toContain(
      "| blind | nobody needs to: the direction is unknown | – | no choice by outcome: … | 1,200 accepted, 800 NOT_NOW |",
    );
    expect(page).toContain("0 of 1 attacks were noticed.");
    expect(page).toContain("| bend \\| a seed | not refused | nobody | **NOT NOTICED** | – | – |");
  });

  it("names who noticed without the house's help, and where nobody did", () => {
    const server = { who: "running server, `/health/ready`", sentence: "log: behind" };
    const command = { who: "`fairtick verify --log`", sentence: "fault checkpoint: stands still" };
    const step = (notices: readonly (typeof server)[], outsideSeconds?: number | null) => ({
      at: "2026-11-24T10:00:00.000Z",
      load: 1,
      results: [
        { what: "bend", refused: null, notices, seconds: 5.2, ...(outsideSeconds !== undefined && { outsideSeconds }) },
      ],
    });
    const rowOf = (kept: ReturnType<typeof step>) =>
      writeReport({ open: { kept }, sealed: {} })
        .split("\n")
        .find((line) => line.startsWith("| bend"));
    expect(rowOf(step([server], null))).toContain("| not refused | nobody | running server, `/health/ready` | 5.2 s |");
    expect(rowOf(step([server, command], 61))).toContain(
      "| not refused | `fairtick verify --log`; 61.0 s | running server, `/health/ready`; also `fairtick verify --log` | 5.2 s |",
    );
    // From an older run, which stopped at the first finding.
    expect(rowOf(step([command]))).toContain("| `fairtick verify --log`; 5.2 s | `fairtick verify --log` | 5.2 s |");
  });

  it("says so if nothing was run", () => {
    expect(writeReport({ open: {}, sealed: {} })).toContain("Not run yet.");
  });
});
