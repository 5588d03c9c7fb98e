import { type OperatorPath, sessionLogout } from "@fairtick/protocol/operator";
import {
  FailedState,
  IconCandles,
  IconChat,
  type IconProps,
  IconDeposit,
  IconHelp,
  IconGlobe,
  IconHome,
  IconId,
  IconKey,
  IconInvite,
  IconLimits,
  IconLock,
  IconMarket,
  IconMembers,
  IconMine,
  IconNews,
  IconRecords,
  IconScale,
  IconShield,
  IconWallet,
  IconWarning,
  IconWithdraw,
} from "@fairtick/ui";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, type ComponentType } from "react";
import { callOperator } from "../data/call.ts";
import { useMay, useSelf } from "../data/queries.ts";
import { AccountScreen } from "../screens/AccountScreen.tsx";
import { AuditScreen } from "../screens/AuditScreen.tsx";
import { CannedScreen } from "../screens/CannedScreen.tsx";
import { CapitalScreen } from "../screens/CapitalScreen.tsx";
import { ConfigScreen } from "../screens/ConfigScreen.tsx";
import { DepositsScreen } from "../screens/DepositsScreen.tsx";
import { CorrectionsScreen } from "../screens/CorrectionsScreen.tsx";
import { ExposureScreen } from "../screens/ExposureScreen.tsx";
import { IdentitiesScreen } from "../screens/IdentitiesScreen.tsx";
import { IncidentsScreen } from "../screens/IncidentsScreen.tsx";
import { InboxScreen } from "../screens/InboxScreen.tsx";
import { InvitationScreen } from "../screens/InvitationScreen.tsx";
import { LoginScreen } from "../screens/LoginScreen.tsx";
import { MembersScreen } from "../screens/MembersScreen.tsx";
import { NoticesScreen } from "../screens/NoticesScreen.tsx";
import { KeysScreen } from "../screens/KeysScreen.tsx";
import { OverviewScreen } from "../screens/overview/OverviewScreen.tsx";
import { OperatorsScreen } from "../screens/OperatorsScreen.tsx";
import { ReceivingCardsScreen } from "../screens/ReceivingCardsScreen.tsx";
import { PayoutsScreen } from "../screens/PayoutsScreen.tsx";
import { WithdrawalsScreen } from "../screens/WithdrawalsScreen.tsx";
import { RegionsScreen } from "../screens/RegionsScreen.tsx";
import { WithdrawalTermsScreen } from "../screens/WithdrawalTermsScreen.tsx";
import { FairnessScreen } from "../screens/FairnessScreen.tsx";
import { LiabilitiesScreen } from "../screens/LiabilitiesScreen.tsx";
import { ReferralScreen } from "../screens/ReferralScreen.tsx";
import { focusCase, focusHeading } from "../shared/focus.ts";
import { Keys } from "./Keys.tsx";
import { useRoute } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

interface Screen {
  readonly name: keyof typeof WORDS.screens;
  /** The call an operator must be allowed to make to see the screen. */
  readonly needs: OperatorPath;
  readonly Icon: ComponentType<IconProps>;
  readonly View: ComponentType<{ readonly chosen: string | null }>;
}

/** Screens in the order of the rail. A new one needs a row here and its calls in the operator policy. */
const SCREENS: readonly Screen[] = [
  { name: "overview", needs: "overview/read", Icon: IconHome, View: OverviewScreen },
  { name: "members", needs: "member/list", Icon: IconMembers, View: MembersScreen },
  { name: "identities", needs: "identity/list", Icon: IconShield, View: IdentitiesScreen },
  { name: "deposits", needs: "deposit/list", Icon: IconDeposit, View: DepositsScreen },
  { name: "withdrawals", needs: "withdrawal/list", Icon: IconWithdraw, View: WithdrawalsScreen },
  { name: "corrections", needs: "correction/list", Icon: IconScale, View: CorrectionsScreen },
  { name: "config", needs: "config/list", Icon: IconMarket, View: ConfigScreen },
  { name: "withdrawalTerms", needs: "withdrawalTerms/list", Icon: IconWithdraw, View: WithdrawalTermsScreen },
  { name: "regions", needs: "region/list", Icon: IconGlobe, View: RegionsScreen },
  { name: "cards", needs: "receivingCard/list", Icon: IconId, View: ReceivingCardsScreen },
  { name: "incidents", needs: "incident/list", Icon: IconWarning, View: IncidentsScreen },
  { name: "capital", needs: "capital/list", Icon: IconWallet, View: CapitalScreen },
  { name: "referral", needs: "referral/list", Icon: IconInvite, View: ReferralScreen },
  { name: "exposure", needs: "report/exposure", Icon: IconLimits, View: ExposureScreen },
  { name: "liabilities", needs: "report/liabilities", Icon: IconScale, View: LiabilitiesScreen },
  { name: "fairness", needs: "report/fairness", Icon: IconCandles, View: FairnessScreen },
  { name: "inbox", needs: "support/inbox", Icon: IconChat, View: InboxScreen },
  { name: "canned", needs: "support/canned", Icon: IconHelp, View: CannedScreen },
  { name: "notices", needs: "notice/list", Icon: IconNews, View: NoticesScreen },
  { name: "payouts", needs: "withdrawal/walletState", Icon: IconLock, View: PayoutsScreen },
  { name: "keys", needs: "withdrawal/keys", Icon: IconKey, View: KeysScreen },
  { name: "operators", needs: "operator/list", Icon: IconId, View: OperatorsScreen },
  { name: "audit", needs: "audit/list", Icon: IconRecords, View: AuditScreen },
];
/** Open to every operator, at the foot of the rail. */
const ACCOUNT: Screen = { name: "account", needs: "session/account", Icon: IconMine, View: AccountScreen };

export function App() {
  const self = useSelf();
  const [screen = "", id] = useRoute();
  if (screen === "invitation" && id !== undefined) return <InvitationScreen token={id} />;
  if (self.isPending) return <p className="door soft">{WORDS.reading}</p>;
  if (self.isError) {
    const why = self.error instanceof Error ? self.error.message : String(self.error);
    return <FailedState title={why} retryLabel={WORDS.retry} onRetry={() => void self.refetch()} />;
  }
  return self.data === null ? <LoginScreen /> : <Office screen={screen} chosen={id || null} />;
}

function Office({ screen, chosen }: { readonly screen: string; readonly chosen: string | null }) {
  const may = useMay();
  const open = SCREENS.filter(({ needs }) => may(needs));
  const here = [...open, ACCOUNT].find(({ name }) => name === screen) ?? open[0];
  useEffect(() => {
    document.title = here ? `${WORDS.screens[here.name]} · ${WORDS.office}` : WORDS.office;
    // In a narrow window the rail is a strip that scrolls sideways.
    document.querySelector(".rail [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [here]);
  const shown = useRef(here);
  useEffect(() => {
    if (shown.current === here) return;
    shown.current = here;
    // Focus the new screen, so that the keyboard does not start at the rail again.
    if (chosen === null) focusHeading();
    else focusCase();
  }, [here, chosen]);
  if (!here) return null;
  return (
    <div className="office">
      <nav className="rail" aria-label={WORDS.office}>
        <div className="rail-mark">{WORDS.office}</div>
        {open.map(({ name, Icon }) => (
          <a key={name} href={`#/${name}`} aria-current={name === here.name ? "page" : undefined}>
            <Icon size="small" />
            <span className="grow">{WORDS.screens[name]}</span>
          </a>
        ))}
        <Who isShown={here.name === ACCOUNT.name} />
      </nav>
      <here.View key={here.name} chosen={here.name === screen ? chosen : null} />
      <Keys open={open.map(({ name }) => name)} />
    </div>
  );
}

function Who({ isShown }: { readonly isShown: boolean }) {
  const { data } = useSelf();
  const queries = useQueryClient();
  if (!data) return null;
  async function logOut() {
    await callOperator(sessionLogout, {}).catch(() => undefined);
    queries.clear();
    location.hash = "";
    await queries.invalidateQueries();
    location.reload();
  }
  return (
    <div className="rail-foot">
      <strong>{data.operator.login}</strong>
      <span>
        {data.roles.map((role) => WORDS.roles[role]).join(", ")} · {data.deployment}
      </span>
      <a href={`#/${ACCOUNT.name}`} aria-current={isShown ? "page" : undefined}>
        <ACCOUNT.Icon size="small" />
        {WORDS.screens.account}
      </a>
      <button type="button" className="link" onClick={() => void logOut()}>
        Log out
      </button>
    </div>
  );
}
