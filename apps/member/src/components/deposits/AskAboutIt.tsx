import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";

/** What to do about a deposit that wasn't credited. */
export function AskAboutIt() {
  const t = useText();
  return (
    <Link className="button lowkey" to="/pages/kf/index" search={{ tab: "chat" }}>
      {t("bank.openChat")}
    </Link>
  );
}
