import {
  FailedState,
  IconBell,
  IconChat,
  IconChevronRight,
  IconApp,
  IconGlobe,
  IconHelp,
  IconId,
  IconIndicators,
  IconInvite,
  IconKey,
  IconLimits,
  IconMine,
  IconRecords,
  IconScale,
  IconShield,
  Notice,
  Wait,
} from "@fairtick/ui";
import { LogOutButton } from "../../components/LogOutButton.tsx";
import { MenuRow } from "../../components/MenuRow.tsx";
import { refreshAccount, useMember } from "../../data/account.ts";
import { useDeployment } from "../../data/deployment.ts";
import { noticesSearch } from "../../data/notices.ts";
import { currentLanguage, useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { Link } from "../../shared/navigation.tsx";
import { WalletCard } from "./WalletCard.tsx";
import "./mine.css";

export function MineScreen() {
  const t = useText();
  const member = useMember();
  const version = useDeployment()?.version;

  if (member.isError && !member.data) {
    return (
      <Screen title={t("mine.title")} onRefresh={refreshAccount}>
        <FailedState
          title={member.error.message}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void member.refetch();
          }}
        />
      </Screen>
    );
  }
  const { standing, standingReason } = member.data ?? { standing: "active" as const };
  return (
    <Screen title={t("mine.title")} broad onRefresh={refreshAccount} busy={member.isPending}>
      <Who />
      {standing !== "active" && (
        <Notice wrong>{t(`mine.standing.${standing}`, { reason: standingReason ?? t("mine.noReason") })}</Notice>
      )}
      <WalletCard />
      <nav aria-label={t("mine.menu")}>
        <AccountMenu />
        <HouseMenu />
      </nav>
      <LogOutButton className="mine-group" />
      {version !== undefined && <p className="note soft mine-version">{t("mine.version", { version })}</p>}
    </Screen>
  );
}

/** Links for the member's account: money, figures, identity, security. */
function AccountMenu() {
  const t = useText();
  const member = useMember().data;
  return (
    <div className="group mine-group">
      <MenuRow
        to="/pages/assets/index"
        icon={<IconRecords size="small" className="soft" />}
        words={t("mine.fundDetails")}
      />
      <MenuRow
        to="/pages/user/figures"
        icon={<IconIndicators size="small" className="soft" />}
        words={t("figures.title")}
      />
      <MenuRow
        to="/pages/auth/index"
        icon={<IconId size="small" className="soft" />}
        words={t("identity.title")}
        state={member && t(`identity.state.${member.identityState}`)}
      />
      <MenuRow
        to="/pages/auth/Safe"
        icon={<IconKey size="small" className="soft" />}
        words={t("mine.security")}
        state={member?.tradePasswordSet === false ? t("mine.paymentPasswordMissing") : undefined}
      />
    </div>
  );
}

/** Links for the app and the house: settings, messages, help. */
function HouseMenu() {
  const t = useText();
  const unread = useMember().data?.unread;
  const countOf = (count: number) => (count > 0 ? t("notice.menu", { count }) : undefined);
  return (
    <div className="group mine-group">
      <MenuRow
        to="/pages/settings/index"
        icon={<IconLimits size="small" className="soft" />}
        words={t("mine.settings")}
      />
      <MenuRow
        to="/pages/notice/index"
        search={noticesSearch(unread)}
        icon={<IconBell size="small" className="soft" />}
        words={t("notice.title")}
        state={unread && countOf(unread.notices)}
      />
      <MenuRow
        to="/pages/user/SelectLanguage"
        icon={<IconGlobe size="small" className="soft" />}
        words={t("mine.language")}
        state={currentLanguage().nativeName}
      />
      <MenuRow to="/pages/share/index" icon={<IconInvite size="small" className="soft" />} words={t("invite.title")} />
      <MenuRow to="/pages/download/index" icon={<IconApp size="small" className="soft" />} words={t("install.title")} />
      <MenuRow
        to="/pages/kf/index"
        search={{ tab: "chat" }}
        icon={<IconChat size="small" className="soft" />}
        words={t("chat.title")}
        state={unread && countOf(unread.support)}
      />
      <MenuRow to="/pages/kf/index" icon={<IconHelp size="small" className="soft" />} words={t("help.title")} />
      <MenuRow
        to="/pages/fairness/index"
        icon={<IconScale size="small" className="soft" />}
        words={t("fairness.title")}
      />
    </div>
  );
}

function Who() {
  const t = useText();
  const member = useMember().data;
  return (
    <Link className="mine-who" to="/pages/user/Center">
      <span className="unseen">{t("center.title")}</span>
      <span className="mine-face soft">
        <IconMine />
      </span>
      <span className="grow">
        <span className="title cut block">{member?.username ?? <Wait like="m•••@example.com" />}</span>
        <span className="label mine-identity">
          {member ? (
            <>
              <IconShield size="tiny" className={member.identityState === "verified" ? "accent" : "soft"} />
              {t(`mine.identity.${member.identityState}`)}
            </>
          ) : (
            <Wait like="Identity unverified" />
          )}
        </span>
      </span>
      <IconChevronRight size="tiny" className="soft" />
    </Link>
  );
}
