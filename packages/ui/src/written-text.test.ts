import { describe, expect, it } from "vitest";
import { parseWritten } from "./written-text.ts";

const plain = (words: string) => ({ words, strong: false });
const strong = (words: string) => ({ words, strong: true });

describe("a written text", () => {
  it("is headings, lists and paragraphs, with strong words in them", () => {
    expect(parseWritten("First.\n\n## One\n- a\n- **b** c\n\nLast **one**.")).toEqual([
      { kind: "paragraph", line: [plain("First.")] },
      { kind: "heading", words: "One" },
      { kind: "list", items: [[plain("a")], [strong("b"), plain(" c")]] },
      { kind: "paragraph", line: [plain("Last "), strong("one"), plain(".")] },
    ]);
  });

  it("keeps two lists apart that something stands between", () => {
    expect(parseWritten("- a\n\n- b").map(({ kind }) => kind)).toEqual(["list", "list"]);
  });

  it.each([
    ["a ** b", [plain("a ** b")]],
    ["**a** b ** c", [strong("a"), plain(" b ** c")]],
    ["<b>a</b> & [b](javascript:alert(1))", [plain("<b>a</b> & [b](javascript:alert(1))")]],
    ["#no heading", [plain("#no heading")]],
    ["-5", [plain("-5")]],
  ])("leaves what is no mark as it stands: %s", (body, line) => {
    expect(parseWritten(body)).toEqual([{ kind: "paragraph", line }]);
  });

  it("is nothing where nothing is written", () => {
    expect(parseWritten("\n \n")).toEqual([]);
  });
});
