import { overviewRead } from "@fairtick/protocol/operator";
import { useRead } from "./queries.ts";

/**
 * Returns a function that names a product by its symbol: `EURUSD` → `EUR/USD`. Reports list symbols only; of the reads with
 * names, the overview is the one that every operator may make and that leaves no row in the audit trail.
 */
export function useProductName(): (symbol: string) => string {
  const { data } = useRead(overviewRead, {});
  return (symbol) => data?.prices.find((each) => each.symbol === symbol)?.name ?? symbol;
}
