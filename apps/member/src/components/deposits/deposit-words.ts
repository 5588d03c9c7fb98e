import type { MessageId } from "@fairtick/i18n";
import type { Deposit } from "../../data/deposits.ts";
import { formatMoment, formatTime } from "../../shared/format.ts";
import { i18n, type Text } from "../../shared/i18n.ts";

/** Returns the state's name: Processing, Deposited, Deposit failed. */
export function stateWords(t: Text, deposit: Deposit): string {
  return t(`assets.state.${deposit.state}`);
}

/**
 * Returns why it waits or failed, in a sentence; null if there is nothing to say. An operator's own text is shown as
 * it is.
 */
export function reasonWords(t: Text, deposit: Deposit): string | null {
  const reason = deposit.reason ?? (deposit.stage === "orphaned" ? "orphaned" : null);
  if (reason === null) return null;
  const id = `deposit.reason.${reason}`;
  return i18n.messages[id] === undefined ? reason : t(id as MessageId);
}

/** Returns the confirmations so far, such as `1 of 2`. */
export function confirmationWords(t: Text, deposit: Deposit): string {
  const count = deposit.confirmations ?? 0;
  const needed = deposit.confirmationsNeeded;
  return needed === undefined
    ? t("deposit.confirmations", { count })
    : t("deposit.confirmationsOf", { count: Math.min(count, needed), needed });
}

interface Station {
  readonly label: string;
  readonly note?: string;
  readonly state: "done" | "here" | "later";
}

function lastState({ state }: Deposit): Station["state"] {
  if (state === "deposited") return "done";
  return state === "failed" ? "here" : "later";
}

/** Returns the deposit's stages with its progress. */
export function stationsOf(t: Text, deposit: Deposit): readonly Station[] {
  const isOver = deposit.state === "deposited";
  const failed = deposit.state === "failed";
  const last: Station = {
    label: t(failed ? "assets.state.failed" : "assets.state.deposited"),
    ...(deposit.state !== "processing" && { note: formatMoment(deposit.stageAt, deposit.createdAt) }),
    state: lastState(deposit),
  };
  const way = wayOf(t, deposit);
  if (way !== null) {
    const [first, middle] = way;
    return [
      { label: first, note: formatTime(deposit.createdAt), state: "done" },
      { label: middle, state: isOver || failed ? "done" : "here" },
      last,
    ];
  }
  return [
    { label: t("deposit.seen"), note: formatTime(deposit.createdAt), state: "done" },
    {
      label: t("deposit.confirming"),
      ...(deposit.state === "processing" && { note: confirmationWords(t, deposit) }),
      state: isOver || failed || deposit.stage === "below_minimum" ? "done" : "here",
    },
    last,
  ];
}

const BANK_STATIONS: Readonly<Record<string, MessageId>> = {
  awaiting_transfer: "bank.awaiting",
  expired: "bank.awaiting",
  reversed: "bank.reversed",
};

/** Returns the first two stages of a deposit that no chain has shown yet. */
function wayOf(t: Text, { method, stage, receiptFileId }: Deposit): readonly [string, string] | null {
  if (method === "bank") {
    // A deposit rejected without a receipt never got anything to match.
    const middle = stage === "rejected" && receiptFileId === undefined ? "bank.awaiting" : BANK_STATIONS[stage];
    return [t("bank.announced"), t(middle ?? "bank.inReview")];
  }
  if (method === "card") return [t("bank.cardTaken"), t("bank.cardReview")];
  return stage === "claimed" || stage === "rejected" ? [t("bank.told"), t("bank.looking")] : null;
}

/** Returns the words shown beside the state in a list; null for none. */
export function stageWords(t: Text, deposit: Deposit): string | null {
  if (deposit.state !== "processing") return null;
  if (deposit.stage === "confirming") return confirmationWords(t, deposit);
  return wayOf(t, deposit)?.[1] ?? null;
}

/** Returns the screen of one deposit, by crypto or by bank transfer. */
export function placeOf({ method }: Pick<Deposit, "method">): "/pages/rk/szhz" | "/pages/rk/bankhz" {
  return method === "crypto" ? "/pages/rk/szhz" : "/pages/rk/bankhz";
}
