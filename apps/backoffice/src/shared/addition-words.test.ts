import { expect, it } from "vitest";
import { sayChanges, splitAdditions } from "./addition-words.ts";

const added = (what: string, after: string) => ({ what: `LTCUSD ${what}`, before: "–", after });
const differences = [
  { what: "EURUSD feeRate", before: "0.01", after: "0.02" },
  added("name", "LTC/USD"),
  added("title de", "Litecoin"),
  added("kind", "crypto"),
  added("decimals", "3"),
  added("prices", "simulated"),
  added("volatility", "0.80"),
  added("pull", "22"),
  added("minStake", "1.00"),
  added("60 s payoutRate", "0.85"),
  added("somethingNew", "7"),
];

it("separates an addition from a version's differences, with every figure in words", () => {
  const { additions, changes } = splitAdditions(differences);
  expect(changes).toEqual([differences[0]]);
  expect(additions).toEqual([
    {
      symbol: "LTCUSD",
      name: "LTC/USD",
      simulated: true,
      figures: [
        ["Name", "LTC/USD"],
        ["Title in de", "Litecoin"],
        ["Kind", "Digital asset"],
        ["Decimal places of its price", "3"],
        ["Prices", "Simulated by the house"],
        ["Annual volatility", "80%"],
        ["Pull towards the starting price", "1 part in 2^22 per tick"],
        ["Minimum stake, USD", "1.00"],
        ["Payout rate for 60 s", "85%"],
        // A figure without its own label is still shown.
        ["somethingNew", "7"],
      ],
    },
  ]);
});

it("sums up a version in one line", () => {
  expect(sayChanges(differences)).toBe("Adds LTC/USD, EURUSD feeRate");
  expect(sayChanges(differences.slice(0, 1))).toBe("EURUSD feeRate");
  // A change of an existing product isn't an addition.
  expect(sayChanges([{ what: "EURUSD decimals", before: "6", after: "5" }])).toBe("EURUSD decimals");
});
