import { type Output, reportFairness } from "@fairtick/protocol/operator";
import { useState } from "react";
import { useProductName } from "../data/product-names.ts";
import { useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { count, money, percent, signed } from "../shared/format.ts";
import { type Column, Queue } from "../shared/Queue.tsx";
import { type Wallet, WalletChoice } from "../shared/WalletChoice.tsx";
import { WORDS } from "../shared/words.ts";

type Report = Output<typeof reportFairness>;

/** Makes the column with each row's product name. */
function productColumn(nameOf: (symbol: string) => string) {
  return { id: "symbol", head: "Product", cell: (row: { readonly symbol: string }) => nameOf(row.symbol) } as const;
}

const TERMS: readonly Column<Report["byTerms"][number]>[] = [
  { id: "terms", head: "Terms", cell: (row) => `${row.duration} s ${row.direction}`, width: 92 },
  { id: "orders", head: "Orders", cell: (row) => row.orders, look: "amount", width: 64 },
  { id: "share", head: "Won", cell: (row) => shareOf(row.share), look: "amount", width: 84 },
  {
    id: "chance",
    head: "Chance alone",
    cell: (row) => `${shareOf(row.shareFrom)} to ${shareOf(row.shareTo)}`,
    look: "soft",
  },
  { id: "void", head: "Void", cell: (row) => voidsOf(row.voided), look: "amount", width: 56 },
];

const DAYS: readonly Column<Report["byDay"][number]>[] = [
  { id: "day", head: "Day, UTC", cell: (row) => row.day, width: 112 },
  { id: "orders", head: "Orders", cell: (row) => row.orders, look: "amount", width: 84 },
  { id: "share", head: "Won", cell: (row) => shareOf(row.share), look: "amount", width: 84 },
  { id: "staked", head: "Staked", cell: (row) => money(row.staked), look: "amount" },
  { id: "result", head: "Members’ result", cell: (row) => signed(row.result), look: "amount" },
];

/** The public fairness figures: orders won and lost, next to what chance alone would give. */
export function FairnessScreen() {
  const [wallet, setWallet] = useState<Wallet>("real");
  const report = useRead(reportFairness, {});
  const nameOf = useProductName();
  const reading = { failure: report.error, retry: () => void report.refetch() };
  const all = report.data?.wallets.find((each) => each.wallet === wallet);
  const days = report.data?.byDay.filter((each) => each.wallet === wallet && each.orders > 0).toReversed();
  return (
    <Desk
      title={WORDS.screens.fairness}
      tools={<WalletChoice wallet={wallet} onChange={setWallet} />}
      side={report.data && <Service report={report.data} />}
    >
      {all && (
        <div className="part">
          <Ledger
            figures={[
              ["Orders, 30 days", all.orders],
              ["Share won", shareOf(all.share)],
              ["Chance alone", `${shareOf(all.shareFrom)} to ${shareOf(all.shareTo)}`],
              ["Members’ result", signed(all.result)],
              ["Expected by chance", `${signed(all.fairFrom)} to ${signed(all.fairTo)}`],
              ["Sealed, not revealed", count(all.unrevealed)],
              ["Members at a loss", `${count(all.membersLost)} of ${count(all.members)}`],
            ]}
          />
        </div>
      )}
      <Queue
        caption="By product, duration and direction"
        columns={[{ ...productColumn(nameOf), width: 96 }, ...TERMS]}
        reading={{ ...reading, rows: report.data?.byTerms.filter((each) => each.wallet === wallet) }}
        idOf={({ symbol, duration, direction }) => `${symbol} ${duration} ${direction}`}
        chosen={null}
        empty="No settled orders in the last 30 days."
      />
      <Queue
        caption="By day"
        keyboard={false}
        columns={DAYS}
        reading={{ ...reading, rows: days }}
        idOf={({ day }) => day}
        chosen={null}
        empty="No orders yet."
      />
    </Desk>
  );
}

function Service({ report }: { readonly report: Report }) {
  const { entryDelay, settlementDelay, withdrawalTime, corrections, gaps } = report;
  const nameOf = useProductName();
  return (
    <>
      <CaseHead title="Service" state="Last 24 hours; withdrawals: last 30 days" />
      <Ledger
        figures={[
          ["Entry price, 95%", ms(entryDelay.p95)],
          ["Settled, 95%", ms(settlementDelay.p95)],
          ["Withdrawal paid, 95%", ms(withdrawalTime.p95)],
          ["Corrections", corrections.count],
          ["Credited", money(corrections.credited)],
          ["Debited", money(corrections.debited)],
        ]}
      />
      <Queue
        caption="Minutes without a price"
        keyboard={false}
        columns={[
          productColumn(nameOf),
          { id: "minutes", head: "Minutes", cell: (row) => row.minutes, look: "amount" },
          { id: "missing", head: "Missing", cell: (row) => row.missing, look: "amount" },
        ]}
        reading={{ rows: gaps, failure: null, retry: () => undefined }}
        idOf={({ symbol }) => symbol}
        chosen={null}
        empty="No prices logged yet."
      />
      <p className="part-note soft">
        The public can read the same figures at <span className="code">/fairness.json</span>.
      </p>
    </>
  );
}

function shareOf(share: string | null): string {
  return share === null ? "–" : percent(share);
}

function voidsOf(voided: Report["wallets"][number]["voided"]): number {
  return Object.values(voided).reduce((sum, each) => sum + each, 0);
}

function ms(length: number | null): string {
  if (length === null) return "–";
  return length < 10_000 ? `${length} ms` : `${Math.ceil(length / 1000)} s`;
}
