import { IconInfo, IconRefresh, IconWarning } from "./icons/shell.ts";
import type { ReactNode } from "react";

/** A note about what happened or what to know. Screen readers announce a `wrong` one at once. */
export function Notice({ wrong = false, children }: { readonly wrong?: boolean; readonly children: ReactNode }) {
  return (
    <div className={wrong ? "notice wrong" : "notice"} role={wrong ? "alert" : undefined}>
      {wrong ? <IconWarning /> : <IconInfo />}
      <div className="grow">{children}</div>
    </div>
  );
}

/** Shown instead of an empty list, with what to do next. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="state">
      <strong>{title}</strong>
      {children !== undefined && <span className="label">{children}</span>}
      {action}
    </div>
  );
}

/** Shown when loading failed. The whole area is the button that retries. */
export function FailedState({
  title,
  retryLabel,
  onRetry,
}: {
  /** What failed and, if money is involved, whether any moved. */
  readonly title: ReactNode;
  /** Such as "Tap to retry". */
  readonly retryLabel: string;
  readonly onRetry: () => void;
}) {
  return (
    <button type="button" className="state" onClick={onRetry}>
      <IconRefresh />
      <strong role="alert">{title}</strong>
      <span className="label">{retryLabel}</span>
    </button>
  );
}

/** The strip above play money, with two short sentences. Absent for real money in a live deployment. */
export function PracticeStrip({ wallet, prices }: { readonly wallet: string; readonly prices?: string | undefined }) {
  return (
    <div className="practice">
      <span>{wallet}</span>
      {prices !== undefined && <span>{prices}</span>}
    </div>
  );
}
