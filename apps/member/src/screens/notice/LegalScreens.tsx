import { WrittenPage } from "../../components/written/WrittenPage.tsx";
import { useAgreement, usePrivacy } from "../../data/content.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { Link } from "../../shared/navigation.tsx";

/** What a member agrees to, as it holds today. */
export function AgreementScreen() {
  const t = useText();
  const query = useAgreement();
  return (
    <Screen
      title={t("help.agreement")}
      heading={<h1 className="bar-title written-title">{t("help.agreement")}</h1>}
      pushed
      backTo="/pages/index/index"
      noWallet
      busy={query.isPending}
    >
      <WrittenPage query={query}>
        <Link className="link" to="/pages/notice/xieyi">
          {t("help.privacy")}
        </Link>
      </WrittenPage>
    </Screen>
  );
}

/** Which data are kept, why and for how long. */
export function PrivacyScreen() {
  const t = useText();
  const query = usePrivacy();
  return (
    <Screen
      title={t("help.privacy")}
      heading={<h1 className="bar-title written-title">{t("help.privacy")}</h1>}
      pushed
      backTo="/pages/index/index"
      noWallet
      busy={query.isPending}
    >
      <WrittenPage query={query}>
        <Link className="link" to="/pages/notice/xieyi1">
          {t("help.agreement")}
        </Link>
      </WrittenPage>
    </Screen>
  );
}
