import { IconGlobe } from "@fairtick/ui";
import { currentLanguage, useText } from "../shared/i18n.ts";
import { Link } from "../shared/navigation.tsx";

/** The current language, linked to the choice of another, for visitors. */
export function LanguageLink() {
  const t = useText();
  const { nativeName } = currentLanguage();
  return (
    <Link
      className="language-link label"
      to="/pages/user/SelectLanguage"
      aria-label={t("account.language", { name: nativeName })}
    >
      <IconGlobe size="small" className="soft" />
      {nativeName}
    </Link>
  );
}
