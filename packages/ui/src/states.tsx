import { IconInfo, IconRefresh, IconWarning } from "./icons/shell.ts";
import type { ReactNode } from "react";

/** Says what happened or what to know. A wrong one is announced at once. */
export function Notice({ wrong = false, children }: { readonly wrong?: boolean; readonly children: ReactNode }) {
  return (
    <div className={wrong ? "notice wrong" : "notice"} role={wrong ? "alert" : undefined}>
      {wrong ? <IconWarning /> : <IconInfo />}
      <div className="grow">{children}</div>
    </div>
  );
}

/** Nothing here yet, and what to do next. */
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

/** Something did not come. The whole area is the button that tries again. */
export function FailedState({
  title,
  retryLabel,
  onRetry,
}: {
  /** What failed and, where money is concerned, whether any moved. */
  readonly title: ReactNode;
  /** "Tap to retry". */
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

/** The strip over play money. Two short sentences; absent for real money in a live deployment. */
export function PracticeStrip({ wallet, prices }: { readonly wallet: string; readonly prices?: string | undefined }) {
  return (
    <div className="practice">
      <span>{wallet}</span>
      {prices !== undefined && <span>{prices}</span>}
    </div>
  );
}
