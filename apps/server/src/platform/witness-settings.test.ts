import { COSIGNATURE_TYPE, formatVerifierKey, signerKey } from "@fairtick/transparency";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { boardAddress, boardOrigins, countStrangers, witnessList } from "./witness-settings.ts";

const HERE = "http://127.0.0.1:8080";
const OUT = "https://fairtick.example";
const witness = (url: string, board?: string) => ({ url, key: "name+id+key", ...(board !== undefined && { board }) });

describe("a witness's address", () => {
  it("is the same with and without slashes at its end, because paths are appended to it", () => {
    const list = [witness("https://one.example/w/", "https://board.example//"), witness("https://two.example/")];
    expect(v.parse(witnessList, JSON.stringify(list))).toEqual([
      witness("https://one.example/w", "https://board.example"),
      witness("https://two.example"),
    ]);
  });
});

describe("a witness's board", () => {
  it.each([
    ["at its address", witness("https://one.example/w/"), OUT, "https://one.example/w"],
    ["where it is said to be", witness("http://127.0.0.1:9000", "https://one.example"), OUT, "https://one.example"],
    ["on this machine, for members on this machine", witness("http://127.0.0.1:9000"), HERE, "http://127.0.0.1:9000"],
    ["nowhere that members elsewhere could reach", witness("http://127.0.0.1:9000"), OUT, null],
  ])("is %s", (_where, setting, publicUrl, address) => {
    const [read] = v.parse(witnessList, JSON.stringify([setting]));
    expect(boardAddress(read!, publicUrl)).toBe(address);
  });

  it("is the only other origin that the app may call", () => {
    const witnesses = [
      witness("https://one.example/w"),
      witness("https://one.example/v"),
      witness("http://127.0.0.1:9000"),
    ];
    expect(boardOrigins({ witnesses, publicUrl: OUT })).toEqual(["https://one.example"]);
  });
});

describe("the number of witnesses outside the house", () => {
  const house = {
    publicUrl: "https://www.fairtick.example",
    consoleUrl: "https://console.house.example",
    allowedHosts: ["Alias.example.", "203.0.113.9"],
  };
  const keyOf = (byte: number, name = `w${byte}.example`) =>
    formatVerifierKey(signerKey(name, COSIGNATURE_TYPE, new Uint8Array(32).fill(byte)).verifier);
  const count = (...urls: string[]) =>
    countStrangers({ ...house, witnesses: urls.map((url, nth) => ({ url, key: keyOf(nth + 1) })) });

  it.each([
    ["two names", ["https://one.example", "https://two.example"], 2],
    ["two addresses", ["https://203.0.113.5", "https://[2001:db8::5]"], 2],
    ["names that only look alike", ["https://notfairtick.example", "https://fairtick.example.org"], 2],
    ["one name with a dot at its end and without", ["https://one.example", "https://one.example."], 1],
    ["one host at two ports", ["https://203.0.113.5", "https://203.0.113.5:444"], 1],
    ["one address in two forms", ["https://203.0.113.5", "https://[::ffff:203.0.113.5]"], 1],
    ["the house's own names", ["https://WWW.fairtick.example/w", "https://console.house.example:9000"], 0],
    ["these with a dot at their end", ["https://www.fairtick.example.", "https://alias.example."], 0],
    ["names below them", ["https://one.fairtick.example", "https://two.alias.example."], 0],
    ["the names above them", ["https://fairtick.example", "https://house.example"], 0],
    ["the house's own address", ["https://203.0.113.9", "https://[::ffff:203.0.113.9]"], 0],
    ["this machine", ["http://127.0.0.1:9000", "http://[::1]:9000", "http://2130706433", "http://127.1"], 0],
    ["this machine by another name", ["http://localhost:9000", "http://localhost.:9000", "http://a.localhost"], 0],
    ["this machine in IPv6's form", ["http://[::ffff:127.0.0.1]:9000", "http://[::ffff:0.0.0.0]:9000"], 0],
    ["any address of this machine", ["http://0.0.0.0:9000", "http://[::]:9000"], 0],
    [
      "addresses of its network",
      ["http://10.0.0.5", "http://172.31.0.5", "http://192.168.0.5", "http://169.254.0.5", "http://100.64.0.5"],
      0,
    ],
    ["addresses of its network in IPv6", ["http://[fd00::5]", "http://[fe80::5]", "http://[::ffff:10.0.0.5]"], 0],
    ["names of its network", ["http://witness:9000", "http://other:9000"], 0],
  ])("with %s", (_where, urls, number) => {
    expect(count(...urls)).toBe(number);
  });

  it("counts one public key once, and not at all if a witness of the house's own has it", () => {
    const named = [
      { url: "https://one.example", key: keyOf(1) },
      { url: "https://two.example", key: keyOf(1, "other.example") },
    ];
    expect(countStrangers({ ...house, witnesses: named })).toBe(1);
    const own = { url: "http://127.0.0.1:9000", key: keyOf(1, "own.example") };
    expect(countStrangers({ ...house, witnesses: [...named, own] })).toBe(0);
  });
});
