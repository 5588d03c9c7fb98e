import { regionList } from "@fairtick/protocol";
import { translate } from "@fairtick/i18n/server";
import { type Route, route } from "../../platform/http/index.ts";
import { REGIONS } from "./regions.ts";

/** Regions with what their rules leave open, the reason in the caller's language. */
export function regionRoutes(): Route[] {
  return [
    route(regionList, ({ lang }) =>
      Array.from(REGIONS.values(), ({ iso2, dialCode, currency, policy, rule, legalAge }) => ({
        iso2,
        dialCode,
        currency,
        policy,
        ...(rule !== null && {
          policyReason: translate(lang, `common.region.${rule.policy}`, { rule: rule.name, year: String(rule.year) }),
        }),
        legalAge,
      })),
    ),
  ];
}
