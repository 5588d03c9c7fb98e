// @vitest-environment jsdom
import type { ProofPlaces } from "@fairtick/transparency";
import { expect, test } from "vitest";
import { placeOf } from "../shared/navigation.tsx";
import { proofLink, readProofLink } from "./proof-link.ts";

const PLACES: ProofPlaces = {
  batch: 4_211,
  place: 3,
  accepted: 9_001,
  settled: 9_102,
  config: 12,
  minutes: [9_050, 9_099],
  commitment: "fac9bc4c1373fea1",
};

const search = (link: string) => placeOf(link.slice(link.indexOf("#") + 1)).search;

test("a link puts the places behind the #, which no browser sends", () => {
  const link = proofLink("https://fairtick.example", PLACES);
  expect(new URL(link).search).toBe("");
  expect(placeOf(link.slice(link.indexOf("#") + 1)).path).toBe("/pages/proof/index");
  expect(readProofLink(search(link))).toEqual(PLACES);
});

test("a link that a messenger cut off anywhere is rejected, and never leads to other entries", () => {
  const link = proofLink("https://fairtick.example", PLACES);
  const ends = Array.from({ length: link.length - link.indexOf("#") }, (_, cut) => link.length - cut - 1);
  expect(ends.filter((end) => readProofLink(search(link.slice(0, end))) !== null)).toEqual([]);
});

test("a link from before, whose entries are last, is still read", () => {
  const link = `https://fairtick.example/#/pages/proof/index?batch=4211&place=3&order=${PLACES.commitment}`;
  expect(readProofLink(search(`${link}&log=9001.9102.12.9050.9099`))).toEqual(PLACES);
});

test("a link may lead to the minutes of the four ticks that decide an order", () => {
  const four = { ...PLACES, minutes: [9_050, 9_060, 9_090, 9_099] };
  expect(readProofLink(search(proofLink("https://fairtick.example", four)))).toEqual(four);
});

test.each<[string, (link: string) => string]>([
  ["no batch", (link) => link.replace(/batch=[0-9]+/, "")],
  ["a place that isn't a number", (link) => link.replace("place=3", "place=three")],
  ["a truncated commitment", (link) => link.slice(0, link.indexOf("order=") + 10)],
  ["too few entries", (link) => link.replace(/log=[0-9.]+/, "log=1.2")],
  ["an entry below zero", (link) => link.replace("9001", "-1")],
  ["more minutes than four ticks can be in", (link) => link.replace(/log=[0-9.]+/, "$&.9100.9101.9102")],
])("a link with %s is rejected", (_, cut) => {
  expect(readProofLink(search(cut(proofLink("https://fairtick.example", PLACES))))).toBeNull();
});
