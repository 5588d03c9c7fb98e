import { type Output, reportExposure, reportResult } from "@fairtick/protocol/operator";
import { useState } from "react";
import { useProductName } from "../data/product-names.ts";
import { useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { money, signed } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { type Wallet, WalletChoice } from "../shared/WalletChoice.tsx";
import { WORDS } from "../shared/words.ts";

export function ExposureScreen() {
  const [wallet, setWallet] = useState<Wallet>("real");
  const exposure = useRead(reportExposure, {});
  const report = exposure.data?.find((each) => each.wallet === wallet);
  const nameOf = useProductName();
  return (
    <Desk
      title={WORDS.screens.exposure}
      tools={<WalletChoice wallet={wallet} onChange={setWallet} />}
      side={<Results wallet={wallet} />}
    >
      {report && <Totals report={report} />}
      <Queue
        caption="Exposure by product"
        columns={[
          { id: "symbol", head: "Product", cell: (row) => nameOf(row.symbol) },
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

type Report = Output<typeof reportExposure>[number];

/** What the house holds and owes in this wallet, and how much the running orders could cost it. */
function Totals({ report }: { readonly report: Report }) {
  return (
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
  );
}

function Results({ wallet }: { readonly wallet: Wallet }) {
  const result = useRead(reportResult, { days: "14" });
  return (
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
  );
}
