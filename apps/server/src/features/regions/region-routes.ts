import { regionList } from "@fairtick/protocol";
import { translate } from "@fairtick/i18n/server";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { readRegions } from "./read-regions.ts";

/** Routes for regions and what their rules allow, with the reason in the caller's language. */
export function regionRoutes({ databases }: Pick<Context, "databases">): Route[] {
  return [
    route(regionList, async ({ lang }) => {
      const regions = await readRegions(databases.reader);
      return regions.map(({ iso2, dialCode, currency, policy, rule, legalAge }) => {
        const region = { iso2, dialCode, currency, policy, legalAge };
        if (policy === "full" || rule === null) return region;
        const policyReason = translate(lang, `common.region.${policy}`, { rule: rule.name, year: String(rule.year) });
        return Object.assign(region, { policyReason });
      });
    }),
  ];
}
