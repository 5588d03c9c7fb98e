import { EmptyState, FailedState, IconCheck, IconSearch, Notice, Wait } from "@fairtick/ui";
import { useMemo, useState } from "react";
import { useMember } from "../../data/account.ts";
import { changeBankDraft, useBankDraft } from "../../data/bank-draft.ts";
import { useRegions, type Region } from "../../data/deployment.ts";
import { chooseRegion, useChosenRegion } from "../../data/regions.ts";
import { formatRegion } from "../../shared/format.ts";
import { i18n, useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { goBack, useSearch } from "../../shared/navigation.tsx";
import { searchRegions } from "./region-search.ts";
import "../../components/account.css";

/**
 * The choice of the region of residence, with what is offered there, before the registration. With `for=bank` in the
 * address it chooses the region that a bank transfer is sent from.
 */
export function RegionScreen() {
  const t = useText();
  const query = useRegions();
  const isForBank = useSearch()["for"] === "bank";
  const registered = useChosenRegion()?.iso2;
  const own = useMember().data?.region;
  const sending = useBankDraft().region || own;
  const chosen = isForBank ? sending : registered;
  const back = isForBank ? "/pages/rk/bankrk" : "/pages/index/Register";
  const [words, setWords] = useState("");
  const named = useMemo(
    () =>
      query.data
        // Money can only be sent from regions with a real wallet.
        ?.filter(({ policy }) => !isForBank || policy === "full")
        .map((region) => Object.assign({ name: formatRegion(region.iso2) }, region)),
    [query.data, isForBank],
  );
  const found = named && searchRegions(named, words, i18n.locale);

  function choose(iso2: string) {
    if (isForBank) changeBankDraft({ region: iso2 });
    else chooseRegion(iso2);
    goBack(back);
  }

  return (
    <Screen title={t("account.chooseRegion")} pushed backTo={back} noWallet busy={query.isPending}>
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
        {!isForBank && <Notice>{t("account.policyNote")}</Notice>}
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
              <RegionRow
                key={region.iso2}
                region={region}
                isChosen={region.iso2 === chosen}
                onChoose={() => {
                  choose(region.iso2);
                }}
              />
            ))}
          </ul>
        )}
      </div>
    </Screen>
  );
}

/** A region and what is offered there if that isn't everything. Once chosen, it shows the house's reason. */
function RegionRow({
  region,
  isChosen,
  onChoose,
}: {
  readonly region: Region & { readonly name: string };
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const t = useText();
  const { name, policy, policyReason, dialCode } = region;
  return (
    <li>
      <button type="button" className="row" aria-pressed={isChosen} onClick={onChoose}>
        <span className="grow">
          <span className="block">{name}</span>
          {policy !== "full" && (
            <span className="note soft block">
              {t(policy === "blocked" ? "account.blocked" : "account.practiceOnly")}
            </span>
          )}
          {isChosen && policyReason !== undefined && (
            <span className="note soft block" data-testid="policy-reason">
              {policyReason}
            </span>
          )}
        </span>
        {isChosen && <IconCheck size="small" className="accent" />}
        <span className="label figure">+{dialCode.replace("+", "")}</span>
      </button>
    </li>
  );
}
