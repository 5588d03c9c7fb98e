import type { LanguageCode } from "@fairtick/i18n";
import { IconCheck, showToast } from "@fairtick/ui";
import { useRef } from "react";
import { applySettings } from "../../data/settings.ts";
import { tellLanguage, useOfferedLanguages } from "../../data/languages.ts";
import { chooseLanguage, currentLanguage, text, useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { goBack, useIsHere } from "../../shared/navigation.tsx";

/** The available languages, each by its own name. */
export function LanguageScreen() {
  const t = useText();
  const current = currentLanguage().code;
  const languages = useOfferedLanguages();

  const isHere = useIsHere();
  /** Set once the screen is being left, because it stays until the browser has gone back. */
  const isLeft = useRef(false);

  async function choose(code: LanguageCode) {
    if (isLeft.current) return;
    try {
      if (!(await chooseLanguage(code))) return;
    } catch {
      showToast(t("common.networkError"));
      return;
    }
    applySettings();
    void tellLanguage(code);
    showToast(text("common.successfullyUpdated"));
    if (!isHere()) return;
    isLeft.current = true;
    goBack("/pages/home/index");
  }

  return (
    <Screen title={t("mine.chooseLanguage")} pushed noWallet>
      <ul className="group">
        {languages.map((language) => (
          <li key={language.code}>
            <button
              type="button"
              className="row low"
              lang={language.tag}
              aria-pressed={language.code === current}
              onClick={() => {
                void choose(language.code);
              }}
            >
              <span className="grow">{language.nativeName}</span>
              {language.code === current && <IconCheck size="small" className="accent" />}
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
