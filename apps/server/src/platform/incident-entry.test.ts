import { expect, it } from "vitest";
import { nameUnsigned, readUnsigned } from "./incident-entry.ts";

const REASON = "no checkpoint was published";

it("names the witnesses that did not sign in one line that the log takes, and reads their names back", () => {
  expect(nameUnsigned(REASON, [])).toBe(REASON);
  expect(readUnsigned(REASON)).toEqual([]);
  const two = nameUnsigned(REASON, ["one.example/w", "two.example/w"]);
  expect(two).toBe(`${REASON}; not signed by one.example/w, two.example/w`);
  expect(readUnsigned(two)).toEqual(["one.example/w", "two.example/w"]);
});

it.each([
  ["many witnesses", Array.from({ length: 30 }, (_, place) => `witness-${place}.example/w`), "witness-0.example/w"],
  ["a name longer than a line", ["w".repeat(500)], "w".repeat(137)],
  ["other letters than the log's", ["zeuge.exämple/w"], "zeuge.ex?mple/w"],
])("fits %s into a line of the log", (_case, names, first) => {
  const reason = nameUnsigned(REASON, names);
  expect(reason).toMatch(/^[ -~]{1,200}$/);
  const read = readUnsigned(reason);
  expect(read[0]).toBe(first);
  const left = Number(/ and ([0-9]+) more$/.exec(reason)?.[1] ?? 0);
  expect(read.length + left).toBe(names.length);
});
