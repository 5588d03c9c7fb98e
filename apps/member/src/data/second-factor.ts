import type {
  Fields,
  Output,
  PasskeyQuestion,
  secondFactorNewRecoveryCodes,
  secondFactorRegisterPasskey,
  secondFactorRegisterTotp,
  secondFactorRemove,
  secondFactorStartPasskey,
  secondFactorStartTotp,
  secondFactorStatus,
} from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { makePasskey } from "./passkey.ts";
import { keys, queryClient } from "./queries.ts";
import { ask, CallError } from "./transport.ts";
import { refreshWithdrawalMethods } from "./withdrawals.ts";

export type SecondFactors = Output<typeof secondFactorStatus>;
/** Proof that it is the member who changes a factor. */
export type FactorProof = Fields<typeof secondFactorStartTotp>;

/** The member's second factors. */
export function useSecondFactors(): UseQueryResult<SecondFactors> {
  return useQuery({
    queryKey: keys.secondFactors,
    queryFn: () => ask<typeof secondFactorStatus>("secondFactor/status", {}),
  });
}

const refresh = () => queryClient.invalidateQueries({ queryKey: keys.secondFactors });

/** Returns a secret for an authenticator app. It takes effect with its first code. */
export function startTotp(proof: FactorProof): Promise<Output<typeof secondFactorStartTotp>> {
  return ask<typeof secondFactorStartTotp>("secondFactor/startTotp", proof);
}

/** Activates the authenticator app. Returns recovery codes; none if the earlier ones are still valid. */
export async function registerTotp(code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await ask<typeof secondFactorRegisterTotp>("secondFactor/registerTotp", { code });
  await refresh();
  return recoveryCodes;
}

/** Creates and activates a passkey. Returns recovery codes as `registerTotp` does. */
export async function addPasskey(name: string, proof: FactorProof): Promise<readonly string[]> {
  const wish = await ask<typeof secondFactorStartPasskey>("secondFactor/startPasskey", proof);
  const passkey = await makePasskey(wish);
  const { recoveryCodes } = await ask<typeof secondFactorRegisterPasskey>("secondFactor/registerPasskey", {
    name,
    passkey,
  });
  await refresh();
  return recoveryCodes;
}

export async function makeRecoveryCodes(proof: FactorProof): Promise<readonly string[]> {
  const { recoveryCodes } = await ask<typeof secondFactorNewRecoveryCodes>("secondFactor/newRecoveryCodes", proof);
  await refresh();
  return recoveryCodes;
}

/** Removes the app (`totp`) or a passkey. Removing the last factor starts a withdrawal rest. */
export async function removeFactor(factor: string, proof: FactorProof): Promise<void> {
  await ask<typeof secondFactorRemove>("secondFactor/remove", { factor, ...proof });
  await refresh();
  await refreshWithdrawalMethods();
}

/** What the server asks a member for in addition to the password. */
export interface FactorAsk {
  readonly hasApp: boolean;
  readonly hasRecovery: boolean;
  /** The challenge for the member's passkeys; null if they have none. Valid for one answer. */
  readonly question: PasskeyQuestion | null;
}

/**
 * Returns the factors that a failed call asks for; null if it failed for another reason. A wrong factor is asked for
 * again.
 */
export function factorAskOf(error: unknown): FactorAsk | null {
  const failure = error instanceof CallError ? error.failure : null;
  if (failure?.error !== "SECOND_FACTOR_REQUIRED" && failure?.error !== "SECOND_FACTOR_WRONG") return null;
  const { means, question } = failure.params;
  // Another request used this code first. The answer says only that it was wrong.
  if (typeof means !== "string") return null;
  const has = new Set(means.split(","));
  return {
    hasApp: has.has("totp"),
    hasRecovery: has.has("recovery"),
    question: typeof question === "string" ? (JSON.parse(question) as PasskeyQuestion) : null,
  };
}
