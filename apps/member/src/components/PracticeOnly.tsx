import { EmptyState, Wait } from "@fairtick/ui";
import { useMember } from "../data/account.ts";
import { useRegions } from "../data/deployment.ts";
import { formatRegion } from "../shared/format.ts";
import { useText } from "../shared/i18n.ts";
import { Link } from "../shared/navigation.tsx";
import "./wallet/wallet.css";

/** Shown if the member's region has no real wallet: which rule says so, what they can do instead, and a link to it. */
export function PracticeOnly() {
  const t = useText();
  const member = useMember().data;
  const rule = useRegions().data?.find(({ iso2 }) => iso2 === member?.region);
  const isBlocked = rule?.policy === "blocked";
  return (
    <EmptyState
      title={<Title region={member?.region} blocked={isBlocked ? rule.policyReason : undefined} />}
      action={
        isBlocked ? (
          <Link className="button tint lowkey" to="/pages/kf/index" search={{ tab: "chat" }}>
            {t("wallet.askService")}
          </Link>
        ) : (
          <Link className="button main" to="/pages/trade/index">
            {t("wallet.practiceOnlyGo")}
          </Link>
        )
      }
    >
      {!isBlocked && (
        <>
          {rule === undefined ? <Wait like="Only the practice wallet is available here" /> : rule.policyReason}
          <span className="block practice-do">{t("wallet.practiceOnlyDo")}</span>
        </>
      )}
    </EmptyState>
  );
}

/** The rule itself if it blocks the region altogether, or else what is offered there. */
function Title({ region, blocked }: { readonly region: string | undefined; readonly blocked: string | undefined }) {
  const t = useText();
  if (blocked !== undefined) return blocked;
  if (region === undefined) return <Wait like="Practice only in your region" />;
  return t("wallet.practiceOnly", { region: formatRegion(region) });
}
