import type { MessageId } from "@fairtick/i18n";
import type { Withdrawal } from "../../data/withdrawals.ts";
import { formatDateTime, formatMoment, formatTime } from "../../shared/format.ts";
import { i18n, type Text } from "../../shared/i18n.ts";

/** Returns the state's name: Processing, Withdrawn, Canceled. */
export function stateWords(t: Text, withdrawal: Withdrawal): string {
  return t(`assets.state.${withdrawal.state}`);
}

/**
 * Returns why it waits or ended, in a sentence; null if there is nothing to say. An operator's own text is shown as it
 * is.
 */
export function reasonWords(t: Text, { reason, restsUntil, paysFrom, stage }: Withdrawal): string | null {
  if (paysFrom !== undefined) return t("withdraw.newAddress", { until: formatDateTime(paysFrom) });
  if (restsUntil !== undefined) return t("withdraw.resting", { until: formatDateTime(restsUntil) });
  if (reason !== undefined) {
    const id = `withdraw.reason.${reason}`;
    return i18n.messages[id] === undefined ? reason : t(id as MessageId);
  }
  return stage === "review" ? t("withdraw.inReview") : null;
}

/** Returns the withdrawal's stages with its progress. */
export function stationsOf(t: Text, withdrawal: Withdrawal) {
  const { createdAt, approvedAt, sentAt, endedAt, state, cancelable } = withdrawal;
  const waits = withdrawal.stage === "requested" || withdrawal.stage === "review";
  const requested = {
    label: t("withdraw.requested"),
    note: cancelable ? t("withdraw.canCancel") : formatTime(createdAt),
    state: "done" as const,
  };
  if (state === "canceled") {
    return [
      requested,
      {
        label: t("assets.state.canceled"),
        ...(endedAt !== undefined && { note: formatMoment(endedAt, createdAt) }),
        state: "here" as const,
      },
    ];
  }
  const notYet = waits ? ("later" as const) : ("here" as const);
  const sentState = state === "withdrawn" ? ("done" as const) : notYet;
  return [
    requested,
    {
      label: t("withdraw.approved"),
      ...(approvedAt !== undefined && !waits && { note: formatMoment(approvedAt, createdAt) }),
      state: waits ? ("here" as const) : ("done" as const),
    },
    {
      label: t("withdraw.sent"),
      ...(sentAt !== undefined && { note: sentNote(t, withdrawal, sentAt) }),
      state: sentState,
    },
    {
      label: t("assets.state.withdrawn"),
      ...(endedAt !== undefined && { note: formatMoment(endedAt, createdAt) }),
      state: state === "withdrawn" ? ("done" as const) : ("later" as const),
    },
  ];
}

/** Returns the payment's confirmations while it is being confirmed, and afterwards when it was sent. */
function sentNote(t: Text, withdrawal: Withdrawal, sentAt: number): string {
  const { createdAt, state, confirmations = 0, confirmationsNeeded } = withdrawal;
  if (state !== "processing" || confirmationsNeeded === undefined) return formatMoment(sentAt, createdAt);
  return t("deposit.confirmationsOf", {
    count: Math.min(confirmations, confirmationsNeeded),
    needed: confirmationsNeeded,
  });
}
