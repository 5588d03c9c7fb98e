import { describe, expect, it } from "vitest";
import { drawingOf } from "./trusted-logo.ts";

const sign =
  '<svg xmlns="http://www.w3.org/2000/svg" width="35" height="19" fill="none"><g fill-rule="evenodd" clip-path="url(#a)"><path fill="var(--stroke)" d="M2 0H0v10"/></g><defs><clipPath id="a"><path d="M0 0h35"/></clipPath></defs></svg>';

describe("what a script may write as HTML", () => {
  it("is a drawing of shapes alone", () => {
    expect(drawingOf(sign)).toBe(sign);
  });
  it.each([
    ["a script", "<script>alert(1)</script>"],
    ["a picture that runs code", '<img src="x" onerror="alert(1)">'],
    ["a drawing with a script in it", sign.replace("</svg>", "<script>alert(1)</script></svg>")],
    ["a shape that runs code", sign.replace('<path fill="var(--stroke)"', '<path onclick="alert(1)"')],
    ["a drawing with text after it", `${sign}<b>x</b>`],
    ["a link", sign.replace("<g ", '<a href="javascript:alert(1)">')],
    ["plain words", "hello"],
  ])("is not %s", (_, html) => {
    expect(drawingOf(html)).toBeNull();
  });
});
