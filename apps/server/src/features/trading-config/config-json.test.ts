import { FIRST_SM1_PARAMS, firstTradingConfig, type Instant, type TradingConfig } from "@fairtick/domain";
import { parseConfigTerms } from "@fairtick/transparency";
import { expect, it } from "vitest";
import { configFromJson, configToJson } from "./config-json.ts";

const first = firstTradingConfig(1_000n as Instant);

it("reads what it wrote, and writes the same bytes again", () => {
  const text = configToJson(first);
  expect(text).toContain('"memberRunningOrdersMax":200');
  expect(configFromJson(text)).toEqual(first);
});

it("writes a version without a limit on running orders with exactly the bytes whose hash is in the log", () => {
  const { memberRunningOrdersMax: _max, ...before } = first;
  const logged = configToJson(before);
  expect(logged).not.toContain("memberRunningOrdersMax");
  expect(configToJson(configFromJson(logged))).toBe(logged);
});

it("preserves what was added to a running house: titles and price sources", () => {
  const bitcoin = first.instruments.find(({ symbol }) => symbol === "BTCUSD")!;
  const titled = { ...bitcoin, title: "Litecoin", titles: { de: "Litecoin" } };
  const params = FIRST_SM1_PARAMS.find(({ symbol }) => symbol === "BTCUSD")!;
  const { anchor, sigma, jump, spread, pull, switches } = params;
  const config: TradingConfig = {
    ...first,
    instruments: [
      ...first.instruments,
      {
        ...titled,
        symbol: "LTCUSD",
        prices: { source: "simulated", anchor, sigma, jump, spread, pull, switches },
      },
      { ...titled, symbol: "XMRUSD", prices: { source: "outside", names: { kraken: "XMR/USD" } } },
    ],
  };
  const text = configToJson(config);
  expect(configFromJson(text)).toEqual(config);
  expect(configToJson(configFromJson(text))).toBe(text);
  expect(parseConfigTerms(text)?.instruments.map(({ symbol }) => symbol)).toEqual(
    config.instruments.map(({ symbol }) => symbol),
  );
});
