import { IconBell, IconDeposit, IconMine, IconSearch } from "@fairtick/ui";
import { useLayoutEffect, useState } from "react";
import { useMember } from "../../data/account.ts";
import { noticesSearch } from "../../data/notices.ts";
import { LOGIN_ADDRESS, useLoggedIn } from "../../data/session.ts";
import { useText } from "../../shared/i18n.ts";
import { Sign } from "../../shared/Mark.tsx";
import { Link, useShownPath, type Path } from "../../shared/navigation.tsx";
import { JumpTo } from "./JumpTo.tsx";
import { WideWallet } from "./WideWallet.tsx";
import "./wide.css";

const NOTICES_SHOWN_MAX = 99;

/** The main navigation, and which screens belong to each entry. */
const PLACES = [
  { to: "/pages/trade/index", label: "shell.tab.trade", below: ["/pages/trade/"] },
  { to: "/pages/market/index", label: "desk.nav.markets", below: ["/pages/market/"] },
  { to: "/pages/order/index", label: "desk.nav.portfolio", below: ["/pages/order/", "/pages/user/figures"] },
  { to: "/pages/assets/index", label: "desk.nav.funds", below: ["/pages/assets/", "/pages/rk/", "/pages/qk/"] },
  { to: "/pages/fairness/index", label: "fairness.title", below: ["/pages/fairness/"] },
] as const;

/** The header of every screen from 768 px: navigation, the wallet's balance, and the member's own menu. */
export function WideHeader() {
  const t = useText();
  const path = useShownPath();
  const loggedIn = useLoggedIn();
  return (
    <nav className="wide-top" aria-label={t("shell.tabs")}>
      <Link className="mark wide-brand" to="/pages/home/index">
        <Sign size={22} />
        <span className="wide-name">Fairtick</span>
        <span className="unseen"> · {t("shell.tab.home")}</span>
      </Link>
      <div className="wide-places">
        {PLACES.map(({ to, label, below }) => (
          <Link key={to} to={to} aria-current={below.some((start) => path.startsWith(start)) ? "page" : undefined}>
            {t(label)}
          </Link>
        ))}
      </div>
      <Jump />
      {loggedIn ? <MembersCorner /> : <VisitorsCorner />}
    </nav>
  );
}

/** A button that shows the Ctrl K shortcut, and the dialog that both open. */
function Jump() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k")
        return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", press);
    return () => {
      removeEventListener("keydown", press);
    };
  }, []);
  return (
    <>
      <button
        type="button"
        className="wide-jump"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          setOpen(true);
        }}
      >
        <IconSearch size="tiny" />
        <span className="grow">{t("desk.jump")}</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <JumpTo
        open={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      />
    </>
  );
}

function MembersCorner() {
  const t = useText();
  const member = useMember().data;
  const unread = member?.unread.notices ?? 0;
  return (
    <div className="wide-corner">
      <WideWallet />
      <Link className="button tint lowkey wide-deposit" to="/pages/rk/index">
        <IconDeposit size="tiny" />
        <span className="wide-name">{t("home.deposit")}</span>
      </Link>
      <Link
        className="bar-button"
        to="/pages/notice/index"
        search={noticesSearch(member?.unread)}
        aria-label={unread > 0 ? t("home.noticesUnread", { count: unread }) : t("home.notices")}
      >
        <IconBell size="small" />
        {unread > 0 && (
          <span className="count" aria-hidden="true">
            {unread > NOTICES_SHOWN_MAX ? `${NOTICES_SHOWN_MAX}+` : unread}
          </span>
        )}
      </Link>
      <Corner to="/pages/user/index" label={t("desk.nav.account")} />
    </div>
  );
}

function Corner({ to, label }: { readonly to: Path; readonly label: string }) {
  const path = useShownPath();
  return (
    <Link className="bar-button wide-face" to={to} aria-label={label} aria-current={path === to ? "page" : undefined}>
      <IconMine size="small" />
    </Link>
  );
}

function VisitorsCorner() {
  const t = useText();
  return (
    <div className="wide-corner">
      <Link className="button lowkey wide-deposit" to={LOGIN_ADDRESS}>
        {t("shell.login")}
      </Link>
      <Link className="button tint lowkey wide-deposit" to="/pages/index/Register">
        {t("shell.createAccount")}
      </Link>
      <Link className="bar-button" to="/pages/notice/index" aria-label={t("home.notices")}>
        <IconBell size="small" />
      </Link>
      <Corner to="/pages/settings/index" label={t("mine.settings")} />
    </div>
  );
}
