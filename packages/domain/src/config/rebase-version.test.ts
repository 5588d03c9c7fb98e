import { describe, expect, it } from "vitest";
import { type JsonObject, rebaseVersion } from "./rebase-version.ts";

const eur = {
  symbol: "EURUSD",
  fee: 1,
  durations: [
    { seconds: 60, rate: 85 },
    { seconds: 300, rate: 80 },
  ],
};
const btc = { symbol: "BTCUSD", fee: 2, durations: [{ seconds: 60, rate: 70 }] };
const base: JsonObject = { house: 10, instruments: [eur, btc] };

describe("a proposal over a newer version", () => {
  it("keeps changes made by others in the meantime and applies its own", () => {
    const proposed = { house: 10, instruments: [{ ...eur, fee: 9 }, btc] };
    const newest = { house: 20, instruments: [eur, { ...btc, fee: 5 }] };
    expect(rebaseVersion(base, proposed, newest)).toEqual({
      merged: {
        house: 20,
        instruments: [
          { ...eur, fee: 9 },
          { ...btc, fee: 5 },
        ],
      },
      overtaken: [],
    });
  });

  it("changes one duration next to someone else's change, and keeps the order when adding and removing", () => {
    const with120 = { ...eur, durations: [eur.durations[0]!, { seconds: 120, rate: 83 }, eur.durations[1]!] };
    const newest = { ...eur, durations: [{ seconds: 60, rate: 84 }, eur.durations[1]!] };
    const added = rebaseVersion({ instruments: [eur] }, { instruments: [with120] }, { instruments: [newest] });
    expect(added.overtaken).toEqual([]);
    expect(added.merged).toEqual({
      instruments: [
        {
          ...eur,
          durations: [
            { seconds: 60, rate: 84 },
            { seconds: 120, rate: 83 },
            { seconds: 300, rate: 80 },
          ],
        },
      ],
    });
    const without300 = { ...eur, durations: [eur.durations[0]!] };
    const removed = rebaseVersion({ instruments: [eur] }, { instruments: [without300] }, { instruments: [newest] });
    expect(removed.merged).toEqual({ instruments: [{ ...eur, durations: [{ seconds: 60, rate: 84 }] }] });
  });

  it.each([
    ["another value", { ...eur, fee: 9 }, { ...eur, fee: 5 }, "/instruments/EURUSD/fee"],
    ["the same value", { ...eur, fee: 9 }, { ...eur, fee: 9 }, "/instruments/EURUSD/fee"],
    [
      "what it removes",
      { ...eur, durations: [eur.durations[1]!] },
      { ...eur, durations: [{ seconds: 60, rate: 1 }, eur.durations[1]!] },
      "/instruments/EURUSD/durations/60",
    ],
  ])("is overtaken if someone gave %s to something it changes", (_what, mine, theirs, path) => {
    const rebased = rebaseVersion({ instruments: [eur] }, { instruments: [mine] }, { instruments: [theirs] });
    expect(rebased.overtaken).toEqual([path]);
    expect(rebased.merged).toEqual({ instruments: [mine] });
  });

  it("treats a list without keys as one value", () => {
    const [before, mine, theirs] = [{ products: ["fx", "crypto"] }, { products: ["fx"] }, { products: ["crypto"] }];
    expect(rebaseVersion(before, mine, before).merged).toEqual(mine);
    expect(rebaseVersion(before, mine, theirs).overtaken).toEqual(["/products"]);
  });
});
