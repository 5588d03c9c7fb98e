import { type Rate, RATE_ONE } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";

/** The share of fees that a sandbox starts with. A live house sets its own: docs/decisions/0014. */
export const SANDBOX_REFERRAL_RATE = (RATE_ONE / 10n) as Rate;

/** Gives a sandbox its first reward for invitations, from today on, where there was never a rate. */
export async function seedReferralRate({ config, databases }: Pick<Context, "config" | "databases">): Promise<void> {
  if (config.deployment !== "sandbox") return;
  await databases.console.query("SELECT found_referral_rate($1)", [Number(SANDBOX_REFERRAL_RATE)]);
}
