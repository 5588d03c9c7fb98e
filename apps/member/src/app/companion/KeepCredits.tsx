import { useEffect } from "react";
import { noteMissedCredit } from "../../data/credits.ts";
import { useNewestDeposits } from "../../data/deposits.ts";

/** Notes money that arrived while the app was closed or had no connection: a transfer often takes hours. */
export function KeepCredits() {
  const { data } = useNewestDeposits();
  useEffect(() => {
    if (data !== undefined) noteMissedCredit(data.items);
  }, [data]);
  return null;
}
