import type { ProofCheck, ProofReason, ProvenOrder } from "@fairtick/transparency";
import { Facts, FailedState, IconCheck, IconInfo, IconWarning, Notice, type Fact } from "@fairtick/ui";
import { OutcomeMark } from "../../components/orders/OutcomeMark.tsx";
import { Side } from "../../components/orders/Side.tsx";
import { SealMark } from "../../components/verify/SealMark.tsx";
import { useInstrument } from "../../data/instruments.ts";
import { readProofLink } from "../../data/proof-link.ts";
import { type CheckedProof, isProven, useCheckedProof } from "../../data/public-proof.ts";
import { formatCount, formatDuration, formatPrice, formatUtcDate, formatUtcTime } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { Link, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import "./proof.css";

/** The public page of a shared order, without an account: verifies it against the public log in this browser. */
export function ProofScreen() {
  const t = useText();
  const places = readProofLink(useSearch());
  const query = useCheckedProof(places);
  return (
    <Screen
      title={t("proof.title")}
      pushed
      noWallet
      backTo="/pages/home/index"
      busy={places !== null && query.isPending}
    >
      <div className="stack proof-page">
        <p className="soft">{t("proof.intro")}</p>
        {places === null && <Notice wrong>{t("proof.badLink")}</Notice>}
        {query.isError && (
          <FailedState
            title={t("proof.unsure")}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => void query.refetch()}
          />
        )}
        {places !== null && !query.isError && (
          <Verdict found={query.data} accepted={places.accepted} settled={places.settled} />
        )}
        <p className="note soft">{t("proof.not")}</p>
        <p className="note">
          <Link to="/pages/fairness/index">{t("fairness.title")}</Link>
        </p>
      </div>
    </Screen>
  );
}

type State = "empty" | "sealed" | "failed" | "open";

function Verdict({
  found,
  accepted,
  settled,
}: {
  readonly found: CheckedProof | undefined;
  readonly accepted: number;
  readonly settled: number;
}) {
  const t = useText();
  const state = stateOf(found);
  const title = {
    empty: "result.verifying",
    sealed: "proof.holds",
    failed: "proof.fails",
    open: "proof.unsure",
  } as const;
  const order = found?.proof?.order ?? null;
  return (
    <>
      <section className={state === "failed" ? "seal-card wrong" : "seal-card"} data-testid="proof" data-state={state}>
        <SealMark state={state} draws />
        <span className="grow" aria-live="polite">
          <span className="seal-title">{t(title[state])}</span>
          {state === "failed" && <span className="note soft block">{t("proof.failsNote")}</span>}
          {found !== undefined && found.size > 0 && state === "sealed" && (
            <span className="note soft block">
              {t("proof.entries", {
                accepted: formatCount(accepted),
                settled: formatCount(settled),
                size: formatCount(found.size),
              })}
            </span>
          )}
        </span>
      </section>
      {order !== null && <OrderFacts order={order} />}
      {found !== undefined && <Checks found={found} />}
    </>
  );
}

function stateOf(found: CheckedProof | undefined): State {
  if (found === undefined) return "empty";
  const states = [found.log.state, ...(found.proof?.checks ?? []).map(({ state }) => state)];
  if (states.includes("failed")) return "failed";
  return isProven(found) ? "sealed" : "open";
}

function OrderFacts({ order }: { readonly order: ProvenOrder }) {
  const t = useText();
  const { settled, settledAt, entry, exit } = order;
  const instrument = useInstrument(settled.symbol);
  const price = (tick: ProvenOrder["entry"]) => (tick === null ? "–" : shownPrice(tick.price, instrument?.decimals));
  const at = (time: bigint) => `${formatUtcDate(Number(time))} ${formatUtcTime(Number(time), true)} UTC`;
  const facts: Fact[] = [
    {
      name: t("proof.product"),
      figure: (
        <>
          {instrument?.name ?? settled.symbol} · <Side direction={settled.direction} /> ·{" "}
          {formatDuration(settled.duration)}
        </>
      ),
    },
    { name: t("proof.accepted"), figure: at(settled.acceptedAt) },
    { name: t("order.entry"), figure: price(entry), ...(entry && { note: at(entry.time) }) },
    { name: t("order.exit"), figure: price(exit), ...(exit && { note: at(exit.time) }) },
    { name: t("proof.settledAt"), figure: at(settledAt) },
    {
      name: t("proof.outcome"),
      figure: (
        <span className="proof-outcome">
          <OutcomeMark outcome={settled.outcome} /> {t(`orders.outcome.${settled.outcome}`)}
        </span>
      ),
      sum: true,
    },
  ];
  return (
    <section className="card" data-testid="proven-order" data-outcome={settled.outcome}>
      <Facts facts={facts} />
      {settled.voidReason !== null && <p className="note soft">{t(`orders.void.${settled.voidReason}`)}</p>}
    </section>
  );
}

function Checks({ found }: { readonly found: CheckedProof }) {
  const t = useText();
  const isSealed = (found.proof?.order?.settled.opening?.seal ?? null) !== null;
  const log = {
    id: "log" as const,
    state: logState(found),
    ...(found.log.why !== undefined && { why: found.log.why }),
  };
  return (
    <ul className="card proof-checks">
      {[log, ...(found.proof?.checks ?? [])].map(({ id, state, why }) => (
        <li key={id} data-testid="proof-check" data-check={id} data-state={state}>
          <span className={`proof-icon ${state}`}>{iconOf(state)}</span>
          <span className="grow">
            {wordsOf(t, id, isSealed)}
            <span className={state === "ok" ? "unseen" : "note block proof-state"}> {t(`proof.state.${state}`)}</span>
            {id === "log" && found.log.named === "log-unwatched" ? (
              <span className="note soft block">{t("verify.named.log-unwatched")}</span>
            ) : (
              why !== undefined && state !== "ok" && <Why why={why} />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A reason in the reader's words; that of the whole log's check is the verifier's own. */
function Why({ why }: { readonly why: ProofReason | string }) {
  const t = useText();
  if (typeof why === "string") return <span className="note soft code block">{why}</span>;
  return (
    <span className="note soft block">
      {"entry" in why ? t(`proof.why.${why.code}`, { entry: formatCount(why.entry) }) : t(`proof.why.${why.code}`)}
    </span>
  );
}

function logState({ log }: CheckedProof): ProofCheck["state"] {
  return log.state === "ok" || log.state === "failed" ? log.state : "open";
}

function wordsOf(t: Text, id: ProofCheck["id"] | "log", isSealed: boolean): string {
  return t(`proof.check.${id === "opened" && isSealed ? "sealed" : id}`);
}

function iconOf(state: ProofCheck["state"]) {
  return { ok: <IconCheck />, failed: <IconWarning />, open: <IconInfo /> }[state];
}

/** Formats points as a price, or as the raw points for a product that is no longer listed. */
function shownPrice(points: bigint, decimals: number | undefined): string {
  if (decimals === undefined) return String(points);
  const digits = String(points).padStart(decimals + 1, "0");
  return formatPrice(
    `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`,
    decimals,
  );
}
