import { reportExposure, reportResult } from "@fairtick/protocol/operator";
import { Segments } from "@fairtick/ui";
import { useState } from "react";
import { useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { money, signed } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { WORDS } from "../shared/words.ts";

export function ExposureScreen() {
  const [wallet, setWallet] = useState<"practice" | "real">("real");
  const exposure = useRead(reportExposure, {});
  const result = useRead(reportResult, { days: "14" });
  const report = exposure.data?.find((each) => each.wallet === wallet);
  return (
    <Desk
      title={WORDS.screens.exposure}
      tools={
        <Segments
          label="Wallet"
          look="slim"
          choices={[
            { value: "practice", label: WORDS.wallets.practice },
            { value: "real", label: WORDS.wallets.real },
          ]}
          value={wallet}
          onChange={setWallet}
        />
      }
      side={
        <>
          <CaseHead title={WORDS.wallets[wallet]} state="Last 14 days, UTC" />
          <Queue
            caption="Result by day"
            keyboard={false}
            columns={[
              { id: "day", head: "Day", cell: (row) => row.day, width: 96 },
              { id: "orders", head: "Orders", cell: (row) => row.orders, look: "amount" },
              { id: "staked", head: "Staked", cell: (row) => money(row.staked), look: "amount" },
              { id: "fees", head: "Fees", cell: (row) => money(row.fees), look: "amount" },
              { id: "trading", head: "Trading", cell: (row) => signed(row.trading), look: "amount" },
            ]}
            reading={{
              rows: result.data?.filter((each) => each.wallet === wallet),
              failure: result.error,
              retry: () => void result.refetch(),
            }}
            idOf={({ day }) => day}
            chosen={null}
            empty="No settled orders in the last 14 days."
          />
          <p className="part-note soft">Trading is lost stakes minus profits paid. Fees are separate.</p>
        </>
      }
    >
      {report && (
        <div className="part">
          <Ledger
            figures={[
              ["Pool", money(report.pool)],
              ["Fees", money(report.fees)],
              ["Capital", money(report.capital)],
              ["Owed to members", money(report.owed)],
            ]}
          />
          <Ledger
            figures={[
              ["Exposure, total", money(report.exposure)],
              ["Limit", money(report.exposureMax)],
              ["Owed by members", money(report.receivable)],
            ]}
          />
        </div>
      )}
      <Queue
        caption="Exposure by product"
        columns={[
          { id: "symbol", head: "Product", cell: (row) => row.symbol },
          { id: "exposure", head: "Exposure USD", cell: (row) => money(row.exposure), look: "amount" },
          { id: "max", head: "Limit USD", cell: (row) => money(row.exposureMax), look: "amount" },
        ]}
        reading={{ rows: report?.instruments, failure: exposure.error, retry: () => void exposure.refetch() }}
        idOf={({ symbol }) => symbol}
        chosen={null}
        empty="No products yet."
      />
    </Desk>
  );
}
