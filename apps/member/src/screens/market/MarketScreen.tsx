import { EmptyState, FailedState, IconBell, IconSearch, TabPanel, Wait, Words } from "@fairtick/ui";
import { useId, useState } from "react";
import { useFavourites } from "../../data/favourites.ts";
import { refreshInstruments, useInstruments } from "../../data/instruments.ts";
import { LOGIN_ADDRESS, useLoggedIn } from "../../data/session.ts";
import { useAddressChoice } from "../../shared/address-choice.ts";
import { useText } from "../../shared/i18n.ts";
import { instrumentWords } from "../../shared/instrument-words.ts";
import { Link } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { InstrumentRow } from "./InstrumentRow.tsx";
import { marketSections, type MarketList, type Section } from "./market-list.ts";
import "./market.css";

const LISTS = ["all", "favourites", "fx", "digital"] as const;

export function MarketScreen() {
  const t = useText();
  const panel = useId();
  const [list, setList] = useAddressChoice<MarketList>("list", LISTS, "all");
  const [words, setWords] = useState("");
  const query = useInstruments();
  const favourites = useFavourites();
  const sections =
    query.data && marketSections(query.data, list, favourites, words, (instrument) => instrumentWords(t, instrument));

  return (
    <Screen
      title={t("market.title")}
      broad
      onRefresh={refreshInstruments}
      busy={query.isPending}
      actions={
        <Link className="bar-button" to="/pages/market/alerts" aria-label={t("alerts.title")}>
          <IconBell />
        </Link>
      }
    >
      <div className="box market-search">
        <IconSearch size="small" className="soft" />
        <input
          type="search"
          aria-label={t("market.search")}
          placeholder={t("market.search")}
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
          }}
        />
      </div>
      <Words
        label={t("market.lists")}
        panel={panel}
        value={list}
        onChange={setList}
        choices={[
          { value: "all", label: t("market.all") },
          { value: "favourites", label: t("market.favourites") },
          { value: "fx", label: t("market.fx") },
          { value: "digital", label: t("market.digital") },
        ]}
      />
      <TabPanel id={panel} chosen={list}>
        {query.isPending && <WaitingSection />}
        {query.isError && !query.data && (
          <FailedState
            title={query.error.message}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void query.refetch();
            }}
          />
        )}
        {sections?.map((section) => (
          <MarketSection key={section.kind} section={section} favourites={favourites} />
        ))}
        {sections?.length === 0 &&
          (list === "favourites" && words === "" ? (
            <NoFavourites />
          ) : (
            <EmptyState title={t("market.nothingFound")}>{t("market.nothingFoundHint")}</EmptyState>
          ))}
      </TabPanel>
    </Screen>
  );
}

/** The empty favourites list. Visitors can't mark favourites. */
function NoFavourites() {
  const t = useText();
  return useLoggedIn() ? (
    <EmptyState title={t("market.noFavourites")}>{t("market.noFavouritesHint")}</EmptyState>
  ) : (
    <EmptyState
      title={t("market.noFavourites")}
      action={
        <Link
          className="button tint lowkey"
          to={LOGIN_ADDRESS}
          search={{ next: "/pages/market/index?list=favourites" }}
        >
          {t("account.login")}
        </Link>
      }
    >
      {t("market.favouritesNeedLogin")}
    </EmptyState>
  );
}

function MarketSection({ section, favourites }: { readonly section: Section; readonly favourites: readonly string[] }) {
  const t = useText();
  const always = section.instruments.every((instrument) => instrument.open && instrument.nextChange === null);
  return (
    <section>
      <div className="market-head">
        <h2 className="label">{t(section.kind === "fx" ? "market.fxAndMetals" : "market.digital")}</h2>
        <span className="note soft">{t(always ? "market.openAllWeek" : "market.byHours")}</span>
      </div>
      <div className="group">
        {section.instruments.map((instrument) => (
          <InstrumentRow
            key={instrument.symbol}
            instrument={instrument}
            favourite={favourites.includes(instrument.symbol)}
          />
        ))}
      </div>
    </section>
  );
}

function WaitingSection() {
  return (
    <>
      <div className="market-head">
        <span className="label">
          <Wait like="FX and metals" />
        </span>
      </div>
      <div className="group">
        {Array.from({ length: 8 }, (_, row) => (
          <div className="row market-row" key={row}>
            <span className="grow">
              <span className="block">
                <Wait like="EUR/USD" />
              </span>
              <span className="note block">
                <Wait like="Euro / dollar" />
              </span>
            </span>
            <span className="end">
              <span className="figure block">
                <Wait like="1.000000" />
              </span>
              <span className="label block">
                <Wait like="+0.00%" />
              </span>
            </span>
          </div>
        ))}
      </div>
    </>
  );
}
