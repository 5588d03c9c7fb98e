import { type Rate, RATE_ONE } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** The share of fees that a sandbox starts with. A live house sets its own: docs/decisions/0014. */
export const SANDBOX_REFERRAL_RATE = (RATE_ONE / 10n) as Rate;

/** Sets a sandbox's first share of fees for invitations, from today on, if there has never been one. */
export async function seedReferralRate({ config, databases }: Pick<Context, "config" | "databases">): Promise<void> {
  if (config.deployment !== "sandbox") return;
  await databases.console.query("SELECT found_referral_rate($1)", [Number(SANDBOX_REFERRAL_RATE)]);
}
