import { type Output, reportWithdrawalTimes, withdrawalWalletState } from "@fairtick/protocol/operator";
import { FailedState, Notice } from "@fairtick/ui";
import { useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { fiat, instant, money } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { WORDS } from "../shared/words.ts";

/** Paying wallets and the signer with their alarms, and how long withdrawals took. */
export function PayoutsScreen() {
  const state = useRead(withdrawalWalletState, {});
  const times = useRead(reportWithdrawalTimes, { days: "14" });
  const { wallets = [], signer, incidents = [] } = state.data ?? {};
  return (
    <Desk
      title={WORDS.screens.payouts}
      side={
        <>
          <CaseHead title="Payment times" state="Last 14 days, UTC" />
          <Queue
            caption="Times by day"
            keyboard={false}
            columns={[
              { id: "day", head: "Day", cell: (row) => row.day, width: 92 },
              { id: "paid", head: "Paid", cell: (row) => row.paid, look: "amount" },
              { id: "amount", head: "USD", cell: (row) => money(row.amount), look: "amount" },
              { id: "half", head: "50% within", cell: (row) => length(row.halfMs), look: "amount" },
              { id: "most", head: "95% within", cell: (row) => length(row.mostMs), look: "amount" },
            ]}
            reading={{ rows: times.data, failure: times.error, retry: () => void times.refetch() }}
            idOf={({ day }) => day}
            chosen={null}
            empty="No withdrawals paid in the last 14 days."
          />
          {incidents.length > 0 && <OpenIncidents incidents={incidents} />}
        </>
      }
    >
      {state.isError && (
        <FailedState title={state.error.message} retryLabel={WORDS.retry} onRetry={() => void state.refetch()} />
      )}
      {wallets.map((wallet) => (
        <PayingWallet key={`${wallet.chain} ${wallet.address ?? ""}`} wallet={wallet} />
      ))}
      {signer && <Signer signer={signer} />}
    </Desk>
  );
}

function length(ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`;
}

type State = Output<typeof withdrawalWalletState>;

function PayingWallet({ wallet }: { readonly wallet: State["wallets"][number] }) {
  return (
    <section className="part">
      <h2 className="case-title">
        {wallet.name} <span className="code">{wallet.address ?? "no address yet"}</span>
      </h2>
      {wallet.alarms.map(({ kind, detail }) => (
        <Notice wrong key={kind}>
          {kind}: {detail}
        </Notice>
      ))}
      <Ledger
        figures={[
          ["USDT", fiat(wallet.tokens ?? "–")],
          ["Held for withdrawals, USD", money(wallet.owed)],
          ["Gas coins", fiat(wallet.coins ?? "–")],
          ["Next nonce", wallet.nextNonce ?? "–"],
          ["Read, UTC", instant(wallet.seenAt)],
        ]}
      />
      <Ledger
        figures={[
          ["At deposit addresses, USDT", fiat(wallet.sweeps.waiting)],
          ["Being swept, USDT", fiat(wallet.sweeps.underway)],
          ["Swept, USDT", fiat(wallet.sweeps.done)],
          ["Gas wallet, coins", fiat(wallet.sweeps.gas ?? "–")],
        ]}
      />
    </section>
  );
}

function Signer({ signer }: { readonly signer: NonNullable<State["signer"]> }) {
  return (
    <section className="part">
      <h2 className="case-title">Signer</h2>
      {!signer.reachable && <Notice wrong>The signer isn’t responding. No withdrawals can be paid.</Notice>}
      {signer.alarms.map(({ at, text }) => (
        <Notice wrong key={`${at} ${text}`}>
          {instant(at)}: {text}
        </Notice>
      ))}
      <Ledger
        figures={[
          ["Trusted keys", signer.keys ?? "–"],
          ["Paid in 24 hours, USDT", `${fiat(signer.spentToday ?? "–")} of ${fiat(signer.dayMax ?? "–")}`],
          [
            "Paid automatically, USDT",
            `${fiat(signer.automaticToday ?? "–")} of ${fiat(signer.automaticDayMax ?? "–")}`,
          ],
        ]}
      />
    </section>
  );
}

function OpenIncidents({ incidents }: { readonly incidents: State["incidents"] }) {
  return (
    <ol className="steps" aria-label="Open incidents">
      {incidents.map(({ kind, subject, openedAt }) => (
        <li key={`${kind} ${subject}`}>
          <span>
            <a className="link" href="#/incidents">
              {WORDS.incidents[kind] ?? kind}
            </a>
            <span className="note block">{subject}</span>
          </span>
          <time className="figure">{instant(openedAt)}</time>
        </li>
      ))}
    </ol>
  );
}
