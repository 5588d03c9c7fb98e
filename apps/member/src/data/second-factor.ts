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
/** What shows that it is the member who changes a factor. */
export type FactorProof = Fields<typeof secondFactorStartTotp>;

/** The member's second factors. */
export function useSecondFactors(): UseQueryResult<SecondFactors> {
  return useQuery({
    queryKey: keys.secondFactors,
    queryFn: () => ask<typeof secondFactorStatus>("secondFactor/status", {}),
  });
}

const refresh = () => queryClient.invalidateQueries({ queryKey: keys.secondFactors });

/** A secret for an authenticator app, which counts from its first code on. */
export function startTotp(proof: FactorProof): Promise<Output<typeof secondFactorStartTotp>> {
  return ask<typeof secondFactorStartTotp>("secondFactor/startTotp", proof);
}

/** Takes the app into use; answers recovery codes, none where the ones before still count. */
export async function registerTotp(code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await ask<typeof secondFactorRegisterTotp>("secondFactor/registerTotp", { code });
  await refresh();
  return recoveryCodes;
}

/** Has the browser make a passkey and takes it into use; answers recovery codes as `registerTotp` does. */
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

/** Removes the app (`totp`) or a passkey. After the last one withdrawals rest. */
export async function removeFactor(factor: string, proof: FactorProof): Promise<void> {
  await ask<typeof secondFactorRemove>("secondFactor/remove", { factor, ...proof });
  await refresh();
  await refreshWithdrawalMethods();
}

/** What a server asks a member for beside the password. */
export interface FactorAsk {
  readonly hasApp: boolean;
  readonly hasRecovery: boolean;
  /** For the member's passkeys; null where they have none. Good for one answer. */
  readonly question: PasskeyQuestion | null;
}

/** What a failed call asks for; null where it failed for another reason. A wrong factor is asked for again. */
export function factorAskOf(error: unknown): FactorAsk | null {
  const failure = error instanceof CallError ? error.failure : null;
  if (failure?.error !== "SECOND_FACTOR_REQUIRED" && failure?.error !== "SECOND_FACTOR_WRONG") return null;
  const { means, question } = failure.params;
  // Another request was first with this code: the call says no more than that it was wrong.
  if (typeof means !== "string") return null;
  const has = new Set(means.split(","));
  return {
    hasApp: has.has("totp"),
    hasRecovery: has.has("recovery"),
    question: typeof question === "string" ? (JSON.parse(question) as PasskeyQuestion) : null,
  };
}
