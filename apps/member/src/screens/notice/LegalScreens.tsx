import { WrittenPage } from "../../components/written/WrittenPage.tsx";
import { useAgreement, usePrivacy } from "../../data/content.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";

/** What a member agrees to, as it holds today. */
export function AgreementScreen() {
  const t = useText();
  const query = useAgreement();
  return (
    <Screen title={t("help.agreement")} pushed backTo="/pages/index/index" noWallet busy={query.isPending}>
      <WrittenPage query={query} />
    </Screen>
  );
}

/** Which data are kept, why and for how long. */
export function PrivacyScreen() {
  const t = useText();
  const query = usePrivacy();
  return (
    <Screen title={t("help.privacy")} pushed backTo="/pages/index/index" noWallet busy={query.isPending}>
      <WrittenPage query={query} />
    </Screen>
  );
}
