import type { Order } from "@fairtick/protocol";
import { IconClose, Roll, SheetFrame } from "@fairtick/ui";
import { lazy, Suspense, useContext, useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { OutcomeMark } from "../../components/orders/OutcomeMark.tsx";
import { putAway } from "../../data/endings.ts";
import { useInstruments } from "../../data/instruments.ts";
import { useWallet } from "../../data/wallet.ts";
import { Boundary } from "../../shared/Boundary.tsx";
import { formatGain, formatMoment, formatPrice, toneOf } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { joinSentences } from "../../shared/sentences.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { Link } from "../../shared/navigation.tsx";
import { EndedPath } from "./EndedPath.tsx";

/** How many results are shown at once; the rest is a link to all. */
const SHOWN_MAX = 3;
/** A result older than this ended while the app was closed, so its time is shown. */
const JUST_NOW_MS = 30_000;
/**
 * Long enough to read in any language. The timer pauses while the result is touched or focused, and while the page is
 * hidden.
 */
const STAYS_MS = 12_000;

/** Results of orders that have just ended, newest first, announced once. Renders nothing while there are none. */
export function IslandResult({ ended }: { readonly ended: readonly Order[] }) {
  const t = useText();
  const names = useNames();
  const said = ended.map((order) =>
    t("island.said", {
      name: names(order.symbol),
      outcome: t(`orders.outcome.${order.outcome ?? "voided"}`),
      profit: formatGain(order.profit ?? "0.00"),
    }),
  );
  return (
    <>
      {/* Always rendered, because not every screen reader announces a live region that is added with its text. */}
      <output className="unseen" aria-live="polite" data-testid="island-said">
        {joinSentences(...said)}
      </output>
      {ended.length > 0 && <Results ended={ended} />}
    </>
  );
}

function Results({ ended }: { readonly ended: readonly Order[] }) {
  const t = useText();
  const box = useRef<HTMLElement>(null);
  useRoomForToasts(box);
  useEffect(() => {
    const timer = setInterval(() => {
      const isHeld = document.visibilityState === "hidden" || box.current?.matches(":hover, :focus-within") === true;
      if (!isHeld) putAway(ended.map(({ orderNo }) => orderNo));
    }, STAYS_MS);
    return () => clearInterval(timer);
  }, [ended]);
  const newest = ended.toReversed();
  const rest = newest.length - SHOWN_MAX;
  return (
    <section
      ref={box}
      className="island-result"
      aria-label={t("island.ended", { count: ended.length })}
      data-testid="island-result"
    >
      <ul>
        {newest.slice(0, SHOWN_MAX).map((order) => (
          <li key={order.orderNo}>
            <EndedLine order={order} />
            <ProofLine order={order} />
          </li>
        ))}
        {rest > 0 && (
          <li>
            <Link className="link note island-rest" to="/pages/order/index" search={{ tab: "history" }}>
              {t("island.rest", { count: rest })}
            </Link>
          </li>
        )}
      </ul>
      <button type="button" className="bar-button" aria-label={t("island.putAway")} onClick={() => putAway()}>
        <IconClose size="small" />
      </button>
    </section>
  );
}

function EndedLine({ order }: { readonly order: Order }) {
  const t = useText();
  const wallet = useWallet();
  const { outcome, profit, orderNo } = order;
  const instrument = useInstruments().data?.find(({ symbol }) => symbol === order.symbol);
  if (outcome === null || profit === null) return null;
  const tone = toneOf(profit);
  const price = (value: string | null) => (value === null ? "–" : formatPrice(value, instrument?.decimals));
  return (
    <Link
      className="island-ended"
      to="/pages/trade/trade"
      search={{ orderNo }}
      data-testid="island-ended"
      data-outcome={outcome}
      onClick={() => putAway([orderNo])}
    >
      <OutcomeMark outcome={outcome} />
      <span className="grow">
        <span className="block cut">
          <strong>{t(`orders.outcome.${outcome}`)}</strong>{" "}
          <span className="soft">{instrument?.name ?? order.symbol}</span>
          {order.wallet !== wallet && <span className="note soft"> · {t(`shell.wallet.${order.wallet}`)}</span>}
        </span>
        <span className="note soft figure block cut">
          {order.settledAt !== null && serverNow() - order.settledAt > JUST_NOW_MS && (
            <span data-testid="island-at">{formatMoment(order.settledAt, serverNow())} · </span>
          )}
          {order.exitPrice === null ? t("island.returned") : `${price(order.entryPrice)} → ${price(order.exitPrice)}`}
        </span>
      </span>
      <EndedPath order={order} />
      <span className={tone === "flat" ? "figure medium" : `figure medium ${tone}`} data-testid="island-profit">
        <Roll figure={formatGain(profit)} />
      </span>
    </Link>
  );
}

const EndedProof = lazy(async () => {
  const part = await import("./EndedProof.tsx");
  return { default: part.EndedProof };
});

/** What this device verified of a result. The verifier is loaded with the first one. */
function ProofLine({ order }: { readonly order: Order }) {
  const t = useText();
  const instrument = useInstruments().data?.find(({ symbol }) => symbol === order.symbol);
  return (
    <p className="island-proof note soft" data-testid="island-proof">
      {instrument !== undefined && (
        // The result stays if its code can't be loaded just then.
        <Boundary broken={null}>
          <Suspense fallback={t("result.verifying")}>
            <EndedProof order={order} decimals={instrument.decimals} name={instrument.name} />
          </Suspense>
        </Boundary>
      )}
    </p>
  );
}

function useNames(): (symbol: string) => string {
  const instruments = useInstruments().data;
  return (symbol) => instruments?.find((other) => other.symbol === symbol)?.name ?? symbol;
}

/** Moves toasts below the result, so that they don't cover it. */
function useRoomForToasts(box: RefObject<HTMLElement | null>): void {
  const frame = useContext(SheetFrame);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || frame === null) return undefined;
    const observer = new ResizeObserver(() => {
      frame.style.setProperty("--island-room", `${current.offsetHeight}px`);
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      frame.style.removeProperty("--island-room");
    };
  }, [box, frame]);
}
