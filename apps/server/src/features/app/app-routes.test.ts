import type { Instant } from "@fairtick/domain";
import { LANGUAGE_CODES as CODES_OF_CATALOGUES } from "@fairtick/i18n";
import { appConfig, findAvailableLang, LANGUAGE_CODES } from "@fairtick/protocol";
import { expect, it } from "vitest";
import { parse } from "valibot";
import { readConfig } from "../../platform/config.ts";
import type { Route } from "../../platform/http/index.ts";
import { appRoutes } from "./index.ts";

function answerOf(call: Route["call"], settings: Readonly<Record<string, string>> = {}): unknown {
  return appRoutes({ config: readConfig({ DATABASE_URL: "postgres://127.0.0.1/none", ...settings }) })
    .find((route) => route.call === call)
    ?.handler({
      input: {},
      session: null,
      lang: "en",
      ip: "127.0.0.1",
      device: "",
      deviceKey: null,
      keepDeviceKey: () => undefined,
      noteNewDevice: () => undefined,
      now: 0n as Instant,
      file: null,
    });
}

it("lists the ten languages, each with its header and its own name", () => {
  const languages = parse(findAvailableLang.output, answerOf(findAvailableLang));
  expect(languages).toHaveLength(10);
  expect(languages).toContainEqual({ code: "xby", lang: "es_ES", name: "Spanish", nativeName: "Español" });
  expect(languages.map(({ code }) => code)).toEqual(LANGUAGE_CODES);
});

it("has one list of languages in calls and catalogues", () => {
  expect(CODES_OF_CATALOGUES).toEqual(LANGUAGE_CODES);
});

it("says what the specification fixes about the app", () => {
  expect(parse(appConfig.output, answerOf(appConfig))).toMatchObject({
    version: "1.0",
    versionCode: 10,
    currency: "USD",
    uploadLimitBytes: 104_857_600,
    minAge: 18,
    toastMs: 1500,
    deployment: "sandbox",
  });
});

it.each([
  ["simulated", true],
  ["simulated,BTCUSD=kraken", true],
  ["kraken", false],
])("says for the sources %j whether prices are simulated: %s", (sources, made) => {
  expect(answerOf(appConfig, { MARKET_SOURCES: sources })).toMatchObject({ pricesSimulated: made });
});
