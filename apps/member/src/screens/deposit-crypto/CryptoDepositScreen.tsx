import { EmptyState, Notice, Segments, Split, Stations, Wait } from "@fairtick/ui";
import { MethodsFailed } from "../../components/MethodsFailed.tsx";
import { reasonWords, stationsOf } from "../../components/deposits/deposit-words.ts";
import { CreditOffer } from "../../components/wallet/CreditOffer.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { useDeployment } from "../../data/deployment.ts";
import { useDepositMethods, useDeposits, type CryptoMethod, type Deposit } from "../../data/deposits.ts";
import { useDepositPlace } from "../../data/proof/deposit-place.ts";
import { formatCount, formatPrice } from "../../shared/format.ts";
import { chainWords } from "../../shared/chain-words.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { Link, navigate, useSearch } from "../../shared/navigation.tsx";
import { AddressCard } from "./components/AddressCard.tsx";
import "./deposit-crypto.css";
import "../../components/deposits/deposits.css";

/** The member's address on the chosen chain, its conditions, and incoming deposits. */
export function CryptoDepositScreen() {
  const t = useText();
  const search = useSearch();
  const methods = useDepositMethods(true);
  const chains = methods.data?.crypto;
  const method = chains?.find(({ chain }) => chain === search["chain"]) ?? chains?.[0];
  return (
    <Screen
      title={t("deposit.cryptoTitle")}
      pushed
      noWallet
      money="real"
      backTo="/pages/rk/index"
      busy={methods.isPending}
    >
      <div className="stack deposit-page">
        {methods.isError && chains === undefined && (
          <MethodsFailed
            error={methods.error}
            failed={t("deposit.methodsFailed")}
            onRetry={() => {
              void methods.refetch();
            }}
          />
        )}
        {!methods.isError && chains === undefined && <Waiting />}
        {chains?.length === 0 && <EmptyState title={t("deposit.noMethods")}>{t("deposit.noMethodsMore")}</EmptyState>}
        {method !== undefined && (
          <>
            <WalletLine way="to" />
            <CreditOffer />
            <OnlyUsdt />
            {chains !== undefined && chains.length > 1 && (
              <Segments
                label={t("deposit.chain")}
                look="roomy"
                choices={chains.map((one) => ({ value: one.chain, label: chainWords(one) }))}
                value={method.chain}
                onChange={(chain) => {
                  navigate({ to: "/pages/rk/szrk", search: { chain }, replace: true });
                }}
              />
            )}
            <AddressCard method={method} />
            <Terms method={method} />
            <Faucet method={method} />
            <OnItsWay chain={method.chain} />
            <p>
              <Link className="link label accent" to="/pages/rk/szrk1" search={{ chain: method.chain }}>
                {t("bank.claimLink")}
              </Link>
            </p>
          </>
        )}
      </div>
    </Screen>
  );
}

/** A placeholder of the page until the chains are loaded. */
function Waiting() {
  const t = useText();
  const wait = (like: string) => <Wait like={like} />;
  return (
    <>
      <WalletLine way="to" />
      <OnlyUsdt />
      <section className="card deposit-address">
        <span className="qr" />
        <p className="label">{wait("Your address on the test chain")}</p>
        <p className="code">{wait("0x000000000000000000000")}</p>
      </section>
      <Split
        parts={[
          { name: t("deposit.minimum"), figure: wait("10 USDT") },
          { name: t("deposit.creditedAfter"), figure: wait("12 blocks") },
          { name: t("deposit.rate"), figure: wait("1 : 1 USD") },
        ]}
      />
    </>
  );
}

/** The specification's note. In a sandbox it names test tokens. */
function OnlyUsdt() {
  const t = useText();
  const sandbox = useDeployment()?.deployment === "sandbox";
  return (
    <Notice>
      {sandbox && <b>{t("deposit.sandbox")} </b>}
      {t("deposit.onlyUsdt")}
    </Notice>
  );
}

function Terms({ method }: { readonly method: CryptoMethod }) {
  const t = useText();
  return (
    <Split
      parts={[
        { name: t("deposit.minimum"), figure: `${formatPrice(method.minimum.replace(/\.?0+$/, ""))} USDT` },
        { name: t("deposit.creditedAfter"), figure: t("deposit.blocks", { count: method.confirmations }) },
        {
          name: t("deposit.rate"),
          figure: `1 : ${formatPrice(method.rate.replace(/\.?0+$/, ""))} USD`,
        },
      ]}
    />
  );
}

/** The test chain's faucet, which sends tokens from another wallet. */
function Faucet({ method }: { readonly method: CryptoMethod }) {
  const t = useText();
  const sandbox = useDeployment()?.deployment === "sandbox";
  const address = useDepositPlace(method.chain).data?.address;
  if (!sandbox || method.chain !== "test" || !address) return null;
  return (
    <p>
      <a className="link label accent" href={`/dev/faucet?to=${address}`} target="_blank" rel="noreferrer">
        {t("deposit.faucet")}
      </a>
    </p>
  );
}

/** Deposits on this chain that are in progress, each with its stages. */
function OnItsWay({ chain }: { readonly chain: string }) {
  const t = useText();
  const query = useDeposits();
  const deposits = query.data?.pages.flatMap(({ items }) => items);
  if (deposits === undefined) return query.isPending ? <Wait like="On its way" /> : null;
  const [newest, ...older] = deposits.filter((one) => one.chain === chain);
  const shown = [newest, ...older.filter(({ state }) => state === "processing")].filter((one) => one !== undefined);
  return shown.map((deposit) => <Way key={deposit.depositNo} deposit={deposit} title={t("deposit.onItsWay")} />);
}

function Way({ deposit, title }: { readonly deposit: Deposit; readonly title: string }) {
  const t = useText();
  const reason = reasonWords(t, deposit);
  return (
    <Link className="card block" to="/pages/rk/szhz" search={{ depositNo: deposit.depositNo }} data-testid="on-its-way">
      <span className="deposit-head">
        <span className="title">{deposit.state === "processing" ? title : t(`assets.state.${deposit.state}`)}</span>
        <span className="figure">
          {deposit.quantity === undefined ? formatCount(0) : formatPrice(deposit.quantity)}{" "}
          <span className="unit">USDT</span>
        </span>
      </span>
      <Stations stations={stationsOf(t, deposit)} />
      {reason !== null && <span className="note soft block">{reason}</span>}
    </Link>
  );
}
