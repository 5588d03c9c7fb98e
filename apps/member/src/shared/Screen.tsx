import { IconBack, Page } from "@fairtick/ui";
import { createContext, useContext, useEffect, type ReactNode } from "react";
import { useText } from "./i18n.ts";
import { goBack, type Path } from "./navigation.tsx";

/** What the shell hands to every screen: parts that need the session and the prices. */
export interface ScreenParts {
  /** The practice or test-money strip, on every screen, a visitor's too; draws nothing where real money is live. */
  readonly strip: ReactNode;
  /** The same for either wallet, whichever is in view: screens that are about one of them. */
  readonly strips: Readonly<Record<"practice" | "real", ReactNode>>;
  /** Which wallet is in view, and the way to the other one; null for a visitor. */
  readonly walletSwitch: ReactNode;
  /** The shell has a header of its own, with product navigation, wallet and notices: from 768 px on. */
  readonly hasHeader: boolean;
  /** The screen is one panel of a workspace, which bears title and strip and is the page's main part itself. */
  readonly inPanel: boolean;
  /** Said under the strip while there is no connection. */
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
  /** The document's title and, unless `heading` is given, the header's words. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** Pushed screens bear a back arrow; the five tabs do not. */
  readonly pushed?: boolean;
  /** Where back leads when there is no history (a reload, a link from outside). */
  readonly backTo?: Path;
  /** Hides the wallet switch where a wallet does not matter. */
  readonly noWallet?: boolean;
  /** The screen is about this wallet, whichever is in view. */
  readonly money?: "practice" | "real";
  /** One or two icon buttons at the end of the header. */
  readonly actions?: ReactNode;
  /** Its bar says and does nothing that the shell's own header would not: it is left out where there is one. */
  readonly plainBar?: boolean;
  /** Lays its parts out in two columns where there is room; its style sheet says which part goes where. */
  readonly broad?: boolean;
  /** Stays under the page: the one button of a form. */
  readonly foot?: ReactNode;
  /** No padding, a column: charts. */
  readonly flush?: boolean;
  /** Nothing in it takes the focus: it does so itself, for a keyboard to scroll it. */
  readonly toRead?: boolean;
  /** Figures are still being fetched. */
  readonly busy?: boolean;
  /** Pull to refresh: home, market, orders, mine, assets and notices only. */
  readonly onRefresh?: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** One screen: its bar, the strip, page and foot. Tab bar and wide header are the shell's. */
export function Screen(props: ScreenProps) {
  return useContext(ScreenPartsContext).inPanel ? <PanelScreen {...props} /> : <WholeScreen {...props} />;
}

/** The same within a workspace: what it shows, which the keys scroll, and its foot, which never scrolls away. */
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
  // A link takes the focus with it when it goes: the new screen gets it, for keyboards and readers to go on from.
  useEffect(() => {
    // With the next frame, which is laid out anyway: at once it would be laid out for this alone.
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
 * Browsers draw a ring for a focus that a script gives after a reload, as if a key had moved it: around the whole page it
 * would look like a choice. The mark keeps it away until a key is pressed there or the focus leaves.
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
