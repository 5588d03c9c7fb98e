import type { ReactNode } from "react";
import { Link } from "../../shared/navigation.tsx";
import { showProduct } from "./desk-charts.ts";

/** Shows a product in the active chart and the ticket. It leaves no step to go back to: a workspace is one place. */
export function ProductLink({
  symbol,
  chosen,
  isStop = true,
  onPicked,
  children,
}: {
  readonly symbol: string;
  /** The product in view. */
  readonly chosen: string;
  /** Tab stops here. */
  readonly isStop?: boolean;
  readonly onPicked?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Link
      to="/pages/trade/index"
      search={{ symbol }}
      tabIndex={isStop ? undefined : -1}
      aria-current={symbol === chosen ? "true" : undefined}
      onClick={(event) => {
        // In a new tab or window, as with any link.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        showProduct(symbol);
        onPicked?.();
      }}
    >
      {children}
    </Link>
  );
}
