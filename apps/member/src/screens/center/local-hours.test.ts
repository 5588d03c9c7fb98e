import { describe, expect, it } from "vitest";
import { localHours } from "./local-hours.ts";

// Saturday, 2026-11-21 06:00 UTC
const NOW = Date.UTC(2026, 10, 21, 6);
const read = (text: string, timeZone: string) => {
  const lines = localHours(text, NOW, timeZone);
  if (lines === null || lines === "always") return lines;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  return lines.map(({ days, from, to }) => [days, `${clock.format(from)}-${clock.format(to)}`]);
};

describe("hours", () => {
  it("are shown in the member's own time", () => {
    expect(read("24/7", "Asia/Tokyo")).toBe("always");
    expect(read("nonsense", "Asia/Tokyo")).toBeNull();
    expect(read("Mo-Fr 08:00-16:00; Sa 10:00-14:00", "UTC")).toEqual([
      [[[0, 4]], "08:00-16:00"],
      [[[5, 5]], "10:00-14:00"],
    ]);
    expect(read("Mo-Fr 08:00-16:00", "America/Sao_Paulo")).toEqual([[[[0, 4]], "05:00-13:00"]]);
  });

  it("fall on another day if the time zone is far ahead", () => {
    expect(read("Mo-Fr 20:00-23:00", "Asia/Tokyo")).toEqual([[[[1, 5]], "05:00-08:00"]]);
    expect(read("Su 20:00-23:00", "Asia/Tokyo")).toEqual([[[[0, 0]], "05:00-08:00"]]);
    expect(read("Mo-We 01:00-02:00", "America/Sao_Paulo")).toEqual([
      [
        [
          [0, 1],
          [6, 6],
        ],
        "22:00-23:00",
      ],
    ]);
  });
});
