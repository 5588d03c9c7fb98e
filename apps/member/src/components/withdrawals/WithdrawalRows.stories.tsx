import type { Stories } from "@fairtick/ui/story.ts";
import { WITHDRAWAL } from "../story-data.tsx";
import { WithdrawalRows } from "./WithdrawalRows.tsx";

export const stories = {
  WithdrawalRows: {
    "one of each state": () => (
      <WithdrawalRows
        withdrawals={[
          WITHDRAWAL,
          { ...WITHDRAWAL, withdrawNo: "wdr_02story", state: "withdrawn", stage: "paid" },
          { ...WITHDRAWAL, withdrawNo: "wdr_03story", state: "canceled", stage: "canceled" },
        ]}
      />
    ),
  },
} satisfies Stories;
