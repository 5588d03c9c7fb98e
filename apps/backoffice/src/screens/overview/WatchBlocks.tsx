import { IconCheck, Notice } from "@fairtick/ui";
import { age } from "../../shared/ages.ts";
import { count, instant, money, shortInstant } from "../../shared/format.ts";
import { WORDS } from "../../shared/words.ts";
import { Block } from "./Block.tsx";
import type { Overview } from "./overview.ts";

/** New orders stop when the newest checkpoint is older than this. */
const LOG_BEHIND_MS = 5_000;
/** A price that is older than this is stale. */
const STALE_MS = 10_000;

const seconds = (ms: number) => (ms < 60_000 ? `${(Math.max(ms, 0) / 1000).toFixed(1)} s` : age(ms));

/** What isn't working, and the open incidents, newest first. */
export function Alarms({ alarms, at }: { readonly alarms: NonNullable<Overview["alarms"]>; readonly at: number }) {
  const { accepting, degraded, open, incidents } = alarms;
  return (
    <Block title="Alarms" about={count(open + degraded.length)} link={{ to: "#/incidents", words: "Incidents" }}>
      {!accepting && <Notice wrong>New orders are refused.</Notice>}
      {degraded.length + incidents.length === 0 && (
        <p className="note soft calm">
          <IconCheck size="tiny" /> Everything works, and no incident is open.
        </p>
      )}
      <ul className="alarms">
        {degraded.map(({ part, since, cause }) => (
          <li key={`${part} ${cause}`}>
            <strong>{part}</strong>
            <span className="note soft">{age(at - since)}</span>
            <p className="note wrap">{cause}</p>
          </li>
        ))}
        {incidents.map(({ incidentId, kind, openedAt, holds }) => (
          <li key={incidentId}>
            <a className="link" href={`#/incidents/${incidentId}`}>
              {WORDS.incidents[kind] ?? kind}
            </a>
            <span className="note soft">{shortInstant(openedAt)}</span>
            {holds.length > 0 && (
              <p className="note soft">On hold: {holds.map((each) => WORDS.holds[each].toLowerCase()).join(", ")}</p>
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}

export function WithdrawalsWaiting({
  withdrawals,
  at,
}: {
  readonly withdrawals: NonNullable<Overview["withdrawals"]>;
  readonly at: number;
}) {
  return (
    <Block title="Withdrawals waiting" about="Oldest first" link={{ to: "#/withdrawals", words: "Queue" }}>
      {withdrawals.length === 0 ? (
        <p className="note soft">All done. Withdrawals above the automatic limit appear here.</p>
      ) : (
        <table className="plain">
          <caption className="unseen">Withdrawals waiting</caption>
          <tbody>
            {withdrawals.map(({ withdrawNo, amount, createdAt, approvals, approvalsNeeded }) => (
              <tr key={withdrawNo}>
                <th scope="row">
                  <a className="link code" href={`#/withdrawals/${withdrawNo}`}>
                    {withdrawNo}
                  </a>
                </th>
                <td className="amount">{money(amount)}</td>
                <td className="amount">{age(at - createdAt)}</td>
                <td className="soft">{approvalsNeeded === 0 ? "automatic" : `${approvals} of ${approvalsNeeded}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Block>
  );
}

/** How old the newest price of each open product is, the oldest first. */
export function Prices({ prices, at }: { readonly prices: Overview["prices"]; readonly at: number }) {
  const open = prices.filter(({ isOpen }) => isOpen);
  const ageOf = ({ lastAt }: Overview["prices"][number]) => (lastAt === null ? Infinity : at - lastAt);
  const rows = open.toSorted((a, b) => ageOf(b) - ageOf(a));
  const stale = rows.filter((row) => ageOf(row) > STALE_MS).length;
  return (
    <Block title="Prices" about={`${count(open.length)} open, ${stale === 0 ? "all fresh" : `${count(stale)} stale`}`}>
      <ul className="ages-list">
        {rows.map((row) => (
          <li key={row.symbol} data-level={ageOf(row) > STALE_MS ? "reached" : undefined}>
            <span>{row.name}</span>
            <strong>{row.lastAt === null ? "no price yet" : seconds(ageOf(row))}</strong>
          </li>
        ))}
      </ul>
      {open.length < prices.length && (
        <p className="note soft">{count(prices.length - open.length)} closed or suspended</p>
      )}
    </Block>
  );
}

/** The public log's newest published checkpoint, who has signed it, and the newest check of the ledger. */
export function Trust({ overview: { log, ledger, at } }: { readonly overview: Overview }) {
  return (
    <Block
      title="Log, witnesses and ledger"
      about={log === null ? "No checkpoint yet" : `${count(log.required)} of ${count(log.witnesses.length)} must sign`}
    >
      {log !== null && (
        <dl className="figures">
          <div>
            <dt>Entries</dt>
            <dd>{count(log.size)}</dd>
          </div>
          <div data-level={at - log.coversAt > LOG_BEHIND_MS ? "reached" : undefined}>
            <dt>Newest checkpoint</dt>
            <dd>{seconds(at - log.coversAt)}</dd>
          </div>
          {log.witnesses.map(({ name, at: signedAt }) => (
            <div key={name}>
              <dt className="wrap">{name}</dt>
              <dd>{signedAt === null ? "never" : instant(signedAt).slice(11)}</dd>
            </div>
          ))}
        </dl>
      )}
      <LedgerLine ledger={ledger} at={at} />
    </Block>
  );
}

function LedgerLine({ ledger, at }: { readonly ledger: Overview["ledger"]; readonly at: number }) {
  if (ledger === null) return <p className="note soft">The ledger is checked by another process.</p>;
  if (ledger.broken.length > 0) return <Notice wrong>{ledger.broken.join("; ")}</Notice>;
  return (
    <p className="note soft calm">
      <IconCheck size="tiny" /> The ledger’s invariants hold. Checked {seconds(at - ledger.checkedAt)} ago.
    </p>
  );
}
