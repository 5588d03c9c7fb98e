import type { ReactNode } from "react";
import { Link } from "../../shared/navigation.tsx";
import { showProduct } from "./desk-charts.ts";

/** Shows a product in the active chart and the ticket. It adds no history entry, because a workspace is one place. */
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
  /** Whether the Tab key stops here. */
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
        // Let the browser open a new tab or window, as with any link.
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
