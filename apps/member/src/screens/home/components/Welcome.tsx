import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";

/** What a visitor sees instead of an account. */
export function Welcome() {
  const t = useText();
  return (
    <section className="home-assets stack">
      <p className="title">{t("home.welcome")}</p>
      <nav className="pair">
        <Link className="button tint lowkey" to="/pages/index/index">
          {t("shell.login")}
        </Link>
        <Link className="button lowkey" to="/pages/index/Register">
          {t("shell.createAccount")}
        </Link>
      </nav>
    </section>
  );
}
