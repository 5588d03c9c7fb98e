import { judgeAddress } from "@fairtick/domain";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { CallError } from "../../data/transport.ts";
import type { WithdrawalMethod } from "../../data/withdrawals.ts";
import type { Problem } from "../../shared/use-form.ts";

/** Hash functions for address checksums. */
const HASHES = { keccak256: keccak_256, sha256 };

/**
 * Checks an address by the server's rules, to report mistakes before anything is sent. Only the server knows the house's
 * own addresses.
 */
export function addressProblems(
  { address }: { readonly address: string },
  { kind }: Pick<WithdrawalMethod, "kind">,
): Problem<"address">[] {
  const typed = address.trim();
  if (typed === "") return [{ field: "address", message: "fields.enter.address" }];
  const judged = judgeAddress(kind, typed, HASHES);
  if (judged.ok) return [];
  const { error, params } = judged.refusal;
  return [{ field: "address", message: `errors.${error}`, ...(params && { values: params }) }];
}

/** Returns whether a failed call was refused because of the address. */
export function isAboutAddress(error: unknown): error is CallError {
  return error instanceof CallError && (error.failure?.error ?? "").startsWith("ADDRESS_");
}
