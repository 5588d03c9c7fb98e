import type { MessageId } from "@fairtick/i18n";
import type { Deposit } from "../../data/deposits.ts";
import { formatTime } from "../../shared/format.ts";
import { i18n, type Text } from "../../shared/i18n.ts";

/** Processing, Deposited, Deposit failed. */
export function stateWords(t: Text, deposit: Deposit): string {
  return t(`assets.state.${deposit.state}`);
}

/** Why it waits or failed, in a sentence; null where there is nothing to say. A person's own words are shown as they are. */
export function reasonWords(t: Text, deposit: Deposit): string | null {
  const reason = deposit.reason ?? (deposit.stage === "orphaned" ? "orphaned" : null);
  if (reason === null) return null;
  const id = `deposit.reason.${reason}`;
  return i18n.messages[id] === undefined ? reason : t(id as MessageId);
}

/** `1 of 2`: what a confirming deposit has. */
export function confirmationWords(t: Text, deposit: Deposit): string {
  const count = deposit.confirmations ?? 0;
  const needed = deposit.confirmationsNeeded;
  return needed === undefined
    ? t("deposit.confirmations", { count })
    : t("deposit.confirmationsOf", { count: Math.min(count, needed), needed });
}

/** Where it has got to. */
export function stationsOf(t: Text, deposit: Deposit) {
  const isOver = deposit.state === "deposited";
  const failed = deposit.state === "failed";
  return [
    { label: t("deposit.seen"), note: formatTime(deposit.createdAt), state: "done" },
    {
      label: t("deposit.confirming"),
      ...(deposit.state === "processing" && { note: confirmationWords(t, deposit) }),
      state: isOver || failed || deposit.stage === "below_minimum" ? "done" : "here",
    },
    {
      label: t(failed ? "assets.state.failed" : "assets.state.deposited"),
      ...(deposit.creditedAt !== undefined && { note: formatTime(deposit.creditedAt) }),
      state: isOver ? "done" : failed ? "here" : "later",
    },
  ] as const;
}
