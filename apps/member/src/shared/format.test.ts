import { LANGUAGES } from "@fairtick/i18n";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  formatChange,
  formatCountdown,
  formatDuration,
  formatMoment,
  formatGain,
  formatMoney,
  formatPrice,
  formatRate,
  formatTime,
  formatUtcDate,
  formatUtcTime,
  toneOf,
} from "./format.ts";
import { i18n } from "./i18n.ts";

function speak(locale: string) {
  i18n.loadAndActivate({ locale, messages: {} });
}

describe("figures in the member's language", () => {
  beforeEach(() => {
    speak("en-US");
  });

  it("keeps every digit of an amount too large for a float", () => {
    expect(formatMoney("9007199254740993.01")).toBe("9,007,199,254,740,993.01");
  });

  it.each([
    ["10042.5", "10,042.50"],
    ["0.00", "0.00"],
    ["-101.00", "−101.00"],
  ])("formats %s as %s", (amount, written) => {
    expect(formatMoney(amount)).toBe(written);
  });

  it.each([
    ["84.00", "+84.00"],
    ["-101.00", "−101.00"],
    ["0.00", "0.00"],
  ])("formats the gain %s as %s", (amount, written) => {
    expect(formatGain(amount)).toBe(written);
  });

  it("formats a price with the decimals it came with", () => {
    expect(formatPrice("1.084100")).toBe("1.084100");
    expect(formatPrice("64236.8", 2)).toBe("64,236.80");
  });

  it("formats rates and changes as percentages", () => {
    expect(formatRate("0.85")).toBe("85%");
    expect(formatRate("0.546")).toBe("54.6%");
    expect(formatChange("0.0204")).toBe("+2.04%");
    expect(formatChange("-0.0029")).toBe("−0.29%");
  });

  it("uses the separators of the language", () => {
    speak("de-DE");
    expect(formatMoney("10042.50")).toBe("10.042,50");
    speak("fr-FR");
    expect(formatMoney("10042.50")).toBe("10\u202f042,50");
  });

  it.each([
    ["12.00", "up"],
    ["-0.01", "down"],
    ["0.00", "flat"],
    ["-0.00", "flat"],
  ])("gives %s the direction %s", (amount, tone) => {
    expect(toneOf(amount)).toBe(tone);
  });

  it.each([
    [133_000, "2:13"],
    [132_001, "2:13"],
    [1, "0:01"],
    [0, "0:00"],
    [-5, "0:00"],
    [3_600_000, "1:00:00"],
  ])("counts %i ms down as %s, rounded up", (left, written) => {
    expect(formatCountdown(left)).toBe(written);
  });

  it("writes clock times as the browser would in each language", () => {
    const parts = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
    const at = Date.UTC(2026, 10, 21, 0, 4, 1, 45);
    for (const { locale } of LANGUAGES) {
      speak(locale);
      expect(formatTime(at)).toBe(new Intl.DateTimeFormat(locale, parts).format(at));
      const exact = new Intl.DateTimeFormat(locale, { ...parts, fractionalSecondDigits: 3 });
      expect(formatTime(at, true)).toBe(exact.format(at));
    }
    speak("en-US");
  });

  it("shows an instant's day if it differs from the known one", () => {
    const known = Date.UTC(2026, 10, 21, 12);
    expect(formatMoment(known + 61_000, known)).toMatch(/^\d\d:01:01$/);
    expect(formatMoment(known + 86_400_000, known)).toMatch(/^Nov 22, 2026, \d\d:00$/);
  });

  it("shows the local time of the place that a device has travelled to", () => {
    const noon = Date.UTC(2026, 10, 21, 12);
    const before = process.env["TZ"];
    try {
      process.env["TZ"] = "Asia/Tokyo";
      expect(formatTime(noon)).toBe("21:00:00");
      process.env["TZ"] = "America/Sao_Paulo";
      expect(formatTime(noon)).toBe("09:00:00");
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });

  it.each([
    [30, "30\u00a0s"],
    [60, "60\u00a0s"],
    [120, "2\u00a0min"],
    [300, "5\u00a0min"],
    [3600, "1\u00a0h"],
  ])("formats %i seconds as %s", (seconds, written) => {
    expect(formatDuration(seconds)).toBe(written);
  });
});

describe("times in UTC", () => {
  beforeEach(() => {
    speak("en-US");
    vi.stubEnv("TZ", "Europe/Berlin");
  });
  afterEach(() => vi.unstubAllEnvs());

  it("are the same in every time zone", () => {
    const at = Date.UTC(2026, 10, 28, 23, 27, 30, 5);
    expect(formatTime(at)).toBe("00:27:30");
    expect([formatUtcTime(at), formatUtcTime(at, true)]).toEqual(["23:27:30", "23:27:30.005"]);
    expect(formatUtcDate(at)).toBe("Nov 28, 2026");
  });
});
