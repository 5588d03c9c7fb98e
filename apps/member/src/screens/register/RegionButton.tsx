import { LinkField } from "../../components/LinkField.tsx";
import type { Region } from "../../data/deployment.ts";
import { chooseRegion, useGuessedRegion } from "../../data/regions.ts";
import { formatRegion } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** The chosen region, linked to the list of all. Before a choice it shows a guess that one press confirms. */
export function RegionButton({
  region,
  wrong,
}: {
  readonly region: Region | null;
  readonly wrong: string | undefined;
}) {
  const t = useText();
  return (
    <>
      <LinkField
        label={t("account.region")}
        value={region === null ? null : formatRegion(region.iso2)}
        none={t("account.chooseRegion")}
        wrong={wrong}
        to="/pages/index/SelectRegion"
      />
      {region === null && <Guess />}
    </>
  );
}

function Guess() {
  const t = useText();
  const guessed = useGuessedRegion();
  if (guessed === null) return null;
  const name = formatRegion(guessed.iso2);
  return (
    <p className="region-guess" data-testid="region-guess">
      <span className="label">{t("account.guess", { region: name })}</span>
      <button
        type="button"
        className="link label"
        onClick={() => {
          chooseRegion(guessed.iso2);
        }}
      >
        {t("account.guessYes", { region: name })}
      </button>
    </p>
  );
}
