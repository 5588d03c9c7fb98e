import { IconChat, IconDownload, IconInvite, IconStopwatch } from "@fairtick/ui";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";

/** Four ways on that are the same with and without a login. The shell in index.html draws them too. */
const SHORTCUTS = [
  { to: "/pages/trade/trade", label: "home.limitedTime", Icon: IconStopwatch },
  { to: "/pages/kf/index", label: "home.onlineService", Icon: IconChat },
  { to: "/pages/share/index", label: "home.inviteReward", Icon: IconInvite },
  { to: "/pages/download/index", label: "home.downloadApp", Icon: IconDownload },
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
