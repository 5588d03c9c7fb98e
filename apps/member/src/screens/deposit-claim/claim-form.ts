import type { Problem } from "../../shared/use-form.ts";
import { decimalProblem, unmistakableDecimal } from "../../shared/typed-decimal.ts";

export interface ClaimForm {
  readonly quantity: string;
  readonly txHash: string;
  readonly fileId: string;
  /** Whether the proof is still uploading; the form can't be sent until then. */
  readonly isOnItsWay: boolean;
}

/** Decimals of USDT. */
const PLACES = 6;
const HASH = /^(?:0x)?[0-9a-f]{64}$/i;

export function claimProblems(form: ClaimForm, sign: "." | ","): Problem<keyof ClaimForm>[] {
  const problems: Problem<keyof ClaimForm>[] = [];
  const quantity = unmistakableDecimal(form.quantity, sign);
  const unreadable = form.quantity.trim() === "" ? null : decimalProblem(quantity, PLACES);
  if (unreadable !== null) problems.push({ field: "quantity", ...unreadable });
  else if (!/[1-9]/.test(quantity ?? "")) problems.push({ field: "quantity", message: "bank.enterQuantity" });
  if (form.txHash.trim() !== "" && !HASH.test(form.txHash.trim()))
    problems.push({ field: "txHash", message: "bank.hashWrong" });
  if (form.fileId === "")
    problems.push({ field: "fileId", message: form.isOnItsWay ? "upload.onItsWay" : "bank.uploadProof" });
  return problems;
}

/** Returns the fields for the call. */
export function claimSent({ quantity, txHash, fileId }: ClaimForm, sign: "." | ",") {
  return { quantity: unmistakableDecimal(quantity, sign) ?? "", fileId, txHash: txHash.trim() || undefined };
}
