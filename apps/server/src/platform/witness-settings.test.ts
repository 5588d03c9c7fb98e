import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { boardAddress, boardOrigins, witnessList } from "./witness-settings.ts";

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
