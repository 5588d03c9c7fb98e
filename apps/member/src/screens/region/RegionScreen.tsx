import { EmptyState, FailedState, IconCheck, IconSearch, Notice, Wait } from "@fairtick/ui";
import { useMemo, useState } from "react";
import { useRegions } from "../../data/deployment.ts";
import { chooseRegion, useChosenRegion } from "../../data/regions.ts";
import { formatRegion } from "../../shared/format.ts";
import { i18n, useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { goBack } from "../../shared/navigation.tsx";
import { searchRegions } from "./region-search.ts";
import "../../components/account.css";

/** Where one lives, and what is offered there: said before the registration, not after it. */
export function RegionScreen() {
  const t = useText();
  const query = useRegions();
  const chosen = useChosenRegion();
  const [words, setWords] = useState("");
  const named = useMemo(
    () => query.data?.map((region) => ({ ...region, name: formatRegion(region.iso2) })),
    [query.data],
  );
  const found = named && searchRegions(named, words, i18n.locale);

  function choose(iso2: string) {
    chooseRegion(iso2);
    goBack("/pages/index/Register");
  }

  return (
    <Screen title={t("account.chooseRegion")} pushed backTo="/pages/index/Register" noWallet busy={query.isPending}>
      <div className="form">
        <div className="box">
          <IconSearch size="small" className="soft" />
          <input
            type="search"
            aria-label={t("account.searchRegion")}
            placeholder={t("account.searchRegion")}
            value={words}
            onChange={(event) => {
              setWords(event.currentTarget.value);
            }}
          />
        </div>
        <Notice>{t("account.policyNote")}</Notice>
        {query.isPending && (
          <div className="group">
            {["Deutschland", "Brazil", "New Zealand", "Kenya", "Iceland", "Peru"].map((like) => (
              <div className="row" key={like}>
                <Wait like={like} />
              </div>
            ))}
          </div>
        )}
        {query.isError && !query.data && (
          <FailedState
            title={query.error.message}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void query.refetch();
            }}
          />
        )}
        {found?.length === 0 && <EmptyState title={t("account.noRegion")}>{t("account.noRegionHint")}</EmptyState>}
        {found && found.length > 0 && (
          <ul className="group">
            {found.map((region) => (
              <li key={region.iso2}>
                <button
                  type="button"
                  className="row"
                  aria-pressed={region.iso2 === chosen?.iso2}
                  onClick={() => {
                    choose(region.iso2);
                  }}
                >
                  <span className="grow">
                    <span className="block">{region.name}</span>
                    {region.policy !== "full" && (
                      <span className="note soft block">
                        {t(region.policy === "blocked" ? "account.blocked" : "account.practiceOnly")}
                      </span>
                    )}
                    {region.iso2 === chosen?.iso2 && region.policyReason !== undefined && (
                      <span className="note soft block" data-testid="policy-reason">
                        {region.policyReason}
                      </span>
                    )}
                  </span>
                  {region.iso2 === chosen?.iso2 && <IconCheck size="small" className="accent" />}
                  <span className="label figure">+{region.dialCode.replace("+", "")}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Screen>
  );
}
