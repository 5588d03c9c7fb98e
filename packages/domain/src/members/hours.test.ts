import { describe, expect, it } from "vitest";
import { parseHours } from "./hours.ts";

describe("hours", () => {
  it("are `always` or a list of spans of the week", () => {
    expect(parseHours("24/7")).toBe("always");
    expect(parseHours("Mo-We 08:00-16:30; Sa 22:00-02:00")).toEqual([
      { day: 0, from: 480, to: 990 },
      { day: 1, from: 480, to: 990 },
      { day: 2, from: 480, to: 990 },
      { day: 5, from: 1320, to: 1560 },
    ]);
    expect(parseHours("Sa-Mo 00:00-24:00")).toMatchObject([{ day: 0 }, { day: 5 }, { day: 6, from: 0, to: 1440 }]);
  });

  it.each([
    "",
    "9-17",
    "Mo 25:00-26:00",
    "Mo 24:00-25:00",
    "Xx 08:00-16:00",
    "Mo 08:00-08:00",
    "Mo 08:00-16:00;Tu 08:00-09:00",
  ])("%j are not hours", (text) => {
    expect(parseHours(text)).toBeNull();
  });
});
