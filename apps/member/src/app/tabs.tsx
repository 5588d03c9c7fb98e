import { IconHome, IconMarket, IconMine, IconOrders, IconTrade } from "@fairtick/ui";
import { useText } from "../shared/i18n.ts";
import { Link } from "../shared/navigation.tsx";

/** The five tabs in the specification's order. */
export const TABS = [
  { to: "/pages/home/index", label: "shell.tab.home", Icon: IconHome },
  { to: "/pages/market/index", label: "shell.tab.market", Icon: IconMarket },
  { to: "/pages/trade/index", label: "shell.tab.trade", Icon: IconTrade },
  { to: "/pages/order/index", label: "shell.tab.orders", Icon: IconOrders },
  { to: "/pages/user/index", label: "shell.tab.mine", Icon: IconMine },
] as const;

/** Returns the tab of a path, or null. `/` is home too. */
export function tabOf(path: string): string | null {
  if (path === "/") return TABS[0].to;
  return TABS.find((tab) => tab.to === path)?.to ?? null;
}

export function TabBar({ current }: { readonly current: string }) {
  const t = useText();
  return (
    <nav className="tabs" aria-label={t("shell.tabs")}>
      {TABS.map(({ to, label, Icon }) => (
        <Link key={to} to={to} aria-current={to === current ? "page" : undefined}>
          <Icon />
          <span>{t(label)}</span>
        </Link>
      ))}
    </nav>
  );
}
