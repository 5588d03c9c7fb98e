import { expect, it } from "vitest";
import { byTopic, searchHelp } from "./help-search.ts";

const ARTICLES = [
  { topic: "Orders", title: "How an order is decided", words: "The fee returns on a tie." },
  { topic: "Orders", title: "Fees and odds", words: "A part of the amount." },
  { topic: "Konto", title: "Gerät verloren", words: "注文はサーバーで動きます。" },
];
const titles = (wanted: string) => searchHelp(ARTICLES, wanted).map(({ title }) => title);

it.each([
  ["", ["How an order is decided", "Fees and odds", "Gerät verloren"]],
  ["fee", ["Fees and odds", "How an order is decided"]],
  ["FEE tie", ["How an order is decided"]],
  ["gerat", ["Gerät verloren"]],
  ["サーバー", ["Gerät verloren"]],
  ["orders", ["How an order is decided", "Fees and odds"]],
  ["deposit", []],
])("finds by words in title, topic and text: %s", (wanted, expected) => {
  expect(titles(wanted)).toEqual(expected);
});

it("groups by topic in the order given", () => {
  expect(byTopic(ARTICLES).map(([topic, articles]) => [topic, articles.length])).toEqual([
    ["Orders", 2],
    ["Konto", 1],
  ]);
});
