import { LANGUAGES } from "@fairtick/i18n";
import { APP_VERSION, appConfig, findAvailableLang } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { route, type Route, UPLOAD_BYTES_MAX } from "../../platform/http/index.ts";
import { hasMadePrices } from "../../platform/source-settings.ts";

const MIN_AGE = 18;
/** How long the app shows a toast by default, in milliseconds. */
const TOAST_MS = 1_500;

/** Routes that the app calls before anyone is logged in. */
export function appRoutes({ config }: Pick<Context, "config">): Route[] {
  const languages = LANGUAGES.map(({ code, lang, name, nativeName }) => ({ code, lang, name, nativeName }));
  return [
    route(findAvailableLang, () => languages),
    route(appConfig, ({ now }) => ({
      ...APP_VERSION,
      deployment: config.deployment,
      pricesSimulated: hasMadePrices(config.marketSources),
      currency: "USD",
      uploadLimitBytes: UPLOAD_BYTES_MAX,
      minAge: MIN_AGE,
      toastMs: TOAST_MS,
      figures: {},
      serverTime: Number(now),
    })),
  ];
}
