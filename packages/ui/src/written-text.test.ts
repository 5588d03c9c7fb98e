import { describe, expect, it } from "vitest";
import { parseWritten } from "./written-text.ts";

const plain = (words: string) => ({ words, strong: false });
const strong = (words: string) => ({ words, strong: true });

describe("a written text", () => {
  it("consists of headings, lists and paragraphs that may contain strong words", () => {
    expect(parseWritten("First.\n\n## One\n- a\n- **b** c\n\nLast **one**.")).toEqual([
      { kind: "paragraph", line: [plain("First.")] },
      { kind: "heading", words: "One" },
      { kind: "list", items: [[plain("a")], [strong("b"), plain(" c")]] },
      { kind: "paragraph", line: [plain("Last "), strong("one"), plain(".")] },
    ]);
  });

  it("keeps two lists separate if something is between them", () => {
    expect(parseWritten("- a\n\n- b").map(({ kind }) => kind)).toEqual(["list", "list"]);
  });

  it.each([
    ["a ** b", [plain("a ** b")]],
    ["**a** b ** c", [strong("a"), plain(" b ** c")]],
    ["<b>a</b> & [b](javascript:alert(1))", [plain("<b>a</b> & [b](javascript:alert(1))")]],
    ["#no heading", [plain("#no heading")]],
    ["-5", [plain("-5")]],
  ])("leaves text that is not markup unchanged: %s", (body, line) => {
    expect(parseWritten(body)).toEqual([{ kind: "paragraph", line }]);
  });

  it("is empty if the body is blank", () => {
    expect(parseWritten("\n \n")).toEqual([]);
  });
});
