import { IconChat, IconDeposit, IconApp, IconInvite, IconStopwatch, IconWithdraw } from "@fairtick/ui";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";

/** The same shortcuts with and without a login. The static shell in index.html draws them too. */
const SHORTCUTS = [
  { to: "/pages/rk/index", label: "home.deposit", Icon: IconDeposit },
  { to: "/pages/qk/index", label: "home.withdraw", Icon: IconWithdraw },
  { to: "/pages/kf/index", label: "home.onlineService", Icon: IconChat },
  { to: "/pages/share/index", label: "home.inviteReward", Icon: IconInvite },
  { to: "/pages/trade/trade", label: "home.limitedTime", Icon: IconStopwatch },
  { to: "/pages/download/index", label: "home.downloadApp", Icon: IconApp },
] as const;

export function Shortcuts() {
  const t = useText();
  return (
    <nav className="shortcuts" aria-label={t("home.shortcuts")}>
      {SHORTCUTS.map(({ to, label, Icon }) => (
        <Link key={to} to={to}>
          <Icon />
          <span>{t(label)}</span>
        </Link>
      ))}
    </nav>
  );
}
