import { expect, it } from "vitest";
import { namedStatement } from "./named-statement.ts";

it("numbers parameters by the list of names, in whatever order and however often the text uses them", () => {
  const step = namedStatement({ name: "add", text: "SELECT $more + $first::integer + $more" }, ["first", "more"]);
  expect(step({ more: 2, first: 1 })).toEqual([{ name: "add", text: "SELECT $2 + $1::integer + $2" }, [1, 2]]);
});

it("refuses a text that doesn't match the list", () => {
  expect(() => namedStatement({ name: "add", text: "SELECT $first + $frist" }, ["first"])).toThrow(/add .*\$frist/);
  expect(() => namedStatement({ name: "add", text: "SELECT $first" }, ["first", "more"])).toThrow("add has no $more");
});
