import type { Instant } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { expect, it } from "vitest";
import type { LogFinding } from "./log-finding.ts";
import { createPriceBook } from "./price-book.ts";

const MINUTE = 60_000n;
const encoder = new TextEncoder();

/** Makes a minute of 120 ticks, as a log serves it. */
function served(minute: bigint) {
  const lines = Array.from({ length: 120 }, (_, nth) => {
    const seq = minute * 120n + BigInt(nth) + 1n;
    return `${seq},${minute * MINUTE + BigInt(nth) * 500n},${1_085_000n + seq}`;
  });
  return encoder.encode(lines.join("\n"));
}

it("drops old ticks once they are more than half of all, keeps the last one, and continues from there", async () => {
  const findings: LogFinding[] = [];
  const reader = { read: async (path: string) => served(BigInt(path.split("/")[2] ?? "0") / MINUTE) };
  const book = createPriceBook(nodeHashes, reader, (finding) => findings.push(finding));
  const add = (minute: bigint) => {
    const [from, to] = [Number(minute * 120n + 1n), Number(minute * 120n + 120n)];
    const hash = nodeHashes.sha256(served(minute));
    const time = (minute * MINUTE) as Instant;
    return book.add(0, {
      v: 1,
      kind: "ticks",
      symbol: "EURUSD",
      time,
      from,
      to,
      count: 120,
      hash,
      sources: [],
    });
  };
  for (let minute = 100n; minute < 110n; minute += 1n) expect(await add(minute)).toBe(true);
  expect(book.ticks("EURUSD")).toHaveLength(1_201);
  // Fewer than half of the ticks are old, so none are dropped.
  book.forget(() => 103n * MINUTE);
  expect(book.ticks("EURUSD")).toHaveLength(1_201);
  book.forget(() => 108n * MINUTE);
  expect(book.ticks("EURUSD").map(({ seq }) => seq)).toEqual(
    Array.from({ length: 241 }, (_, nth) => 12_960n + BigInt(nth)),
  );
  book.forget(() => 200n * MINUTE);
  expect(book.ticks("EURUSD").map(({ seq }) => seq)).toEqual([13_200n]);
  expect(await add(110n)).toBe(true);
  expect(findings).toEqual([]);
});
