import { describe, expect, it } from "vitest";
import { suggestHelp } from "./suggest-help.ts";

const articles = [
  { topic: "Orders", title: "Ties and void orders", words: "An order whose prices are equal is a tie." },
  { topic: "Money", title: "Deposits", words: "A deposit by bank or in USDT is credited once it is confirmed." },
  { topic: "資金", title: "充值", words: "銀行匯款或 USDT 的充值確認後即入帳。" },
];
const titles = (question: string) => suggestHelp(articles, question).map(({ title }) => title);

describe("suggested answers", () => {
  it("share the question's words, the best match first", () => {
    expect(titles("Where is my deposit? I sent USDT by bank")).toEqual(["Deposits"]);
    expect(titles("what are ties and void orders")).toEqual(["Ties and void orders"]);
  });

  it("are found in scripts without spaces between words", () => {
    expect(titles("我的充值在哪裡")).toEqual(["充值"]);
  });

  it("don't appear for a greeting", () => {
    expect(titles("Hello, good day")).toEqual([]);
    expect(titles("")).toEqual([]);
  });
});
