import { IconBack, Page } from "@fairtick/ui";
import { createContext, useContext, useEffect, type ReactNode } from "react";
import { useText } from "./i18n.ts";
import { goBack, type Path } from "./navigation.tsx";

/** What the shell passes to every screen: parts that need the session and the prices. */
export interface ScreenParts {
  /** The practice or test-money strip, on every screen and for visitors too. Renders nothing if real money is live. */
  readonly strip: ReactNode;
  /** The strip for a given wallet, whichever is in view, for screens about one of them. */
  readonly strips: Readonly<Record<"practice" | "real", ReactNode>>;
  /** Shows which wallet is in view and switches to the other; null for a visitor. */
  readonly walletSwitch: ReactNode;
  /** Whether the shell has its own header with product navigation, wallet and notices, as it does from 768 px. */
  readonly hasHeader: boolean;
  /** Whether the screen is a panel of a workspace, which has title, strip and the page's main element itself. */
  readonly inPanel: boolean;
  /** Shown under the strip while there is no connection. */
  readonly banner: ReactNode;
}

export const ScreenPartsContext = createContext<ScreenParts>({
  strip: null,
  strips: { practice: null, real: null },
  walletSwitch: null,
  hasHeader: false,
  inPanel: false,
  banner: null,
});

export interface ScreenProps {
  /** The document's title and, unless `heading` is given, the header's text. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** Pushed screens have a back arrow; the five tabs don't. */
  readonly pushed?: boolean;
  /** Where back leads if there is no history (after a reload or a link from outside). */
  readonly backTo?: Path;
  /** Hides the wallet switch on screens where the wallet doesn't matter. */
  readonly noWallet?: boolean;
  /** The wallet that the screen is about, whichever is in view. */
  readonly money?: "practice" | "real";
  /** One or two icon buttons at the end of the header. */
  readonly actions?: ReactNode;
  /** Leaves out the bar when the shell has a header, because the bar adds nothing to it. */
  readonly plainBar?: boolean;
  /** Has two columns where there is room: those in a `columns`, or as its style sheet says. */
  readonly broad?: boolean;
  /** Fixed below the page: the single button of a form. */
  readonly foot?: ReactNode;
  /** A column without padding, for charts. */
  readonly flush?: boolean;
  /** Makes the page itself focusable, because nothing in it is, so that it can be scrolled with keys. */
  readonly toRead?: boolean;
  /** Whether figures are still loading. */
  readonly busy?: boolean;
  /** Pull to refresh: only home, market, orders, mine, assets and notices. */
  readonly onRefresh?: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** One screen with its bar, strip, page and foot. The tab bar and wide header belong to the shell. */
export function Screen(props: ScreenProps) {
  return useContext(ScreenPartsContext).inPanel ? <PanelScreen {...props} /> : <WholeScreen {...props} />;
}

/** A screen within a workspace: its page, which keys can scroll, and its foot, which always stays visible. */
function PanelScreen({ busy, children, foot }: ScreenProps) {
  return (
    <div className="panel-screen" aria-busy={busy || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what is read here may hold nothing that takes the focus */}
      <div className="panel-page" tabIndex={0}>
        {children}
      </div>
      {foot !== undefined && <div className="panel-foot">{foot}</div>}
    </div>
  );
}

function WholeScreen(props: ScreenProps) {
  const t = useText();
  const parts = useContext(ScreenPartsContext);
  const { title } = props;
  useEffect(() => {
    document.title = title;
  }, [title]);
  // A clicked link takes the focus with it when it disappears. Give the focus to the new screen for keyboards and readers.
  useEffect(() => {
    // In the next frame, which is laid out anyway. Doing it now would force an extra layout.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) giveFocus(document.querySelector("main"));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <>
      <header className="top">
        {props.plainBar && parts.hasHeader ? (
          <h1 className="unseen">{title}</h1>
        ) : (
          <div className={props.pushed ? "bar pushed" : "bar"}>
            {props.pushed && <BackButton to={props.backTo ?? "/pages/home/index"} />}
            {props.heading ?? <h1 className="bar-title">{title}</h1>}
            {!props.noWallet && parts.walletSwitch}
            {props.actions}
          </div>
        )}
        <div className="under-bar">
          {props.money === undefined ? parts.strip : parts.strips[props.money]}
          {parts.banner}
        </div>
      </header>
      <Page
        className={pageClass(props)}
        busy={props.busy}
        toRead={props.toRead}
        onRefresh={props.onRefresh}
        pullLabel={t("shell.pullToRefresh")}
        releaseLabel={t("shell.releaseToRefresh")}
        busyLabel={t("shell.refreshing")}
      >
        {props.children}
      </Page>
      {props.foot !== undefined && <footer className="foot">{props.foot}</footer>}
    </>
  );
}

/**
 * Focuses the page without a visible ring. Browsers draw one when a script sets the focus after a reload, as if a key
 * had moved it, and around the whole page it would look like a selection. The mark hides it until a key is pressed or
 * the focus leaves.
 */
function giveFocus(main: HTMLElement | null): void {
  if (main === null) return;
  main.dataset["given"] = "";
  const drop = () => {
    delete main.dataset["given"];
    main.removeEventListener("blur", drop);
    main.removeEventListener("keydown", drop);
  };
  main.addEventListener("blur", drop);
  main.addEventListener("keydown", drop);
  main.focus({ preventScroll: true });
}

function pageClass({ flush, broad }: ScreenProps): string | undefined {
  if (flush) return "flush";
  return broad ? "broad" : undefined;
}

function BackButton({ to }: { readonly to: Path }) {
  const t = useText();
  return (
    <button
      type="button"
      className="bar-button"
      aria-label={t("shell.back")}
      onClick={() => {
        goBack(to);
      }}
    >
      <IconBack />
    </button>
  );
}
