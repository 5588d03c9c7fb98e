import { firstTradingConfig, type Instant } from "@fairtick/domain";
import { expect, it } from "vitest";
import { configFromJson, configToJson } from "./config-json.ts";

const first = firstTradingConfig(1_000n as Instant);

it("reads what it wrote, and writes the same bytes again", () => {
  const text = configToJson(first);
  expect(text).toContain('"memberRunningOrdersMax":200');
  expect(configFromJson(text)).toEqual(first);
});

it("writes a version that does not say how many orders may run with the bytes that the log has the hash of", () => {
  const { memberRunningOrdersMax: _max, ...before } = first;
  const logged = configToJson(before);
  expect(logged).not.toContain("memberRunningOrdersMax");
  expect(configToJson(configFromJson(logged))).toBe(logged);
});
