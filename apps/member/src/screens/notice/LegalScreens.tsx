import type { UseQueryResult } from "@tanstack/react-query";
import { WrittenPage } from "../../components/written/WrittenPage.tsx";
import { useAgreement, usePrivacy, type WrittenText } from "../../data/content.ts";
import { LOGIN_ADDRESS } from "../../data/session.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";

const ROUTES = { agreement: "/pages/notice/xieyi1", privacy: "/pages/notice/xieyi" } as const;
type Legal = keyof typeof ROUTES;

/** The current user agreement. */
export function AgreementScreen() {
  return <LegalScreen text="agreement" other="privacy" query={useAgreement()} />;
}

/** The privacy policy: which data is stored, why and for how long. */
export function PrivacyScreen() {
  return <LegalScreen text="privacy" other="agreement" query={usePrivacy()} />;
}

function LegalScreen({
  text,
  other,
  query,
}: {
  readonly text: Legal;
  /** The related text to link to. */
  readonly other: Legal;
  readonly query: UseQueryResult<WrittenText>;
}) {
  const t = useText();
  const title = t(`help.${text}`);
  return (
    <Screen
      title={title}
      heading={<h1 className="bar-title written-title">{title}</h1>}
      pushed
      backTo={LOGIN_ADDRESS}
      noWallet
      busy={query.isPending}
    >
      <WrittenPage query={query}>
        <Link className="link" to={ROUTES[other]}>
          {t(`help.${other}`)}
        </Link>
      </WrittenPage>
    </Screen>
  );
}
