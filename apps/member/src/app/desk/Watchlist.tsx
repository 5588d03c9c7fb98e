import type { Instrument } from "@fairtick/protocol";
import { EmptyState, IconSearch, IconStar, IconStarOn, TabPanel, Wait, Words } from "@fairtick/ui";
import { memo, useId, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { LivePrice, TodayChange } from "../../components/market/live-figures.tsx";
import { setFavourite, useFavourites } from "../../data/favourites.ts";
import { changeToday, directionOf, useInstruments } from "../../data/instruments.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useText } from "../../shared/i18n.ts";
import { instrumentWords } from "../../shared/instrument-words.ts";
import { marketSections, type Section } from "../../screens/market/market-list.ts";
import { Course } from "./Course.tsx";
import { useDeskCommand } from "./desk-commands.ts";
import { changeLayout, useLayout, type Breakpoint } from "./layout-store.ts";
import { ProductLink } from "./ProductLink.tsx";

/** All products by list and search: price, change and course of today. One click shows one in chart and ticket. */
export function Watchlist({
  chosen,
  breakpoint,
  onPicked,
}: {
  readonly chosen: string;
  readonly breakpoint: Breakpoint;
  /** A product was clicked. */
  readonly onPicked?: () => void;
}) {
  const t = useText();
  const panel = useId();
  const { list } = useLayout(breakpoint);
  const [words, setWords] = useState("");
  const query = useInstruments();
  const favourites = useFavourites();
  const root = useRef<HTMLElement>(null);
  useWatchlistKeys(root, chosen, favourites);
  const sections =
    query.data && marketSections(query.data, list, favourites, words, (instrument) => instrumentWords(t, instrument));
  const listed = sections?.flatMap(({ instruments }) => instruments.map(({ symbol }) => symbol)) ?? [];
  const stop = listed.includes(chosen) ? chosen : listed[0];
  return (
    <section className="panel watchlist" ref={root} aria-label={t("desk.watchlist")}>
      <Search words={words} onWords={setWords} />
      <Words
        label={t("market.lists")}
        panel={panel}
        value={list}
        onChange={(next) => {
          changeLayout(breakpoint, { list: next });
        }}
        choices={[
          { value: "all", label: t("market.all") },
          { value: "favourites", label: t("market.favourites") },
          { value: "fx", label: t("market.fx") },
          { value: "digital", label: t("desk.digital") },
        ]}
      />
      <div className="watch-rows" onKeyDown={moveFocus} role="presentation">
        <TabPanel id={panel} chosen={list}>
          {sections === undefined && <Wait like="EUR/USD 1.000000" />}
          {sections?.map((section) => (
            <Rows
              key={section.kind}
              section={section}
              favourites={favourites}
              chosen={chosen}
              stop={stop}
              onPicked={onPicked}
            />
          ))}
          {sections?.length === 0 && (
            <EmptyState
              title={t(list === "favourites" && words === "" ? "market.noFavourites" : "market.nothingFound")}
            />
          )}
        </TabPanel>
      </div>
      <Keys />
    </section>
  );
}

function Search({ words, onWords }: { readonly words: string; readonly onWords: (words: string) => void }) {
  const t = useText();
  return (
    <div className="box watch-search">
      <IconSearch size="tiny" className="soft" />
      <input
        type="search"
        aria-label={t("market.search")}
        aria-keyshortcuts="/"
        placeholder={t("market.search")}
        value={words}
        onChange={(event) => {
          onWords(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") focusRow(event.currentTarget.closest("section"), 0);
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}

/** What the arrows and letters do here. */
function Keys() {
  const t = useText();
  return (
    <p className="watch-keys note soft hints" aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t("desk.hint.move")}
      </span>
      <span>
        <kbd>Enter</kbd> {t("desk.hint.open")}
      </span>
      <span>
        <kbd>F</kbd> {t("desk.hint.favourite")}
      </span>
    </p>
  );
}

function Rows({
  section,
  favourites,
  chosen,
  stop,
  onPicked,
}: {
  readonly section: Section;
  readonly favourites: readonly string[];
  readonly chosen: string;
  /** The one row that Tab stops at: arrows move on from there. */
  readonly stop: string | undefined;
  readonly onPicked: (() => void) | undefined;
}) {
  const t = useText();
  const loggedIn = useLoggedIn();
  const openAlways = section.instruments.every(({ open, nextChange }) => open && nextChange === null);
  return (
    <>
      <h2 className="watch-group">
        <span>{t(section.kind === "fx" ? "market.fxAndMetals" : "market.digital")}</span>
        <span>{t(openAlways ? "market.openAllWeek" : "desk.priceToday")}</span>
      </h2>
      <ul>
        {section.instruments.map((instrument) => {
          const isFavourite = favourites.includes(instrument.symbol);
          return (
            <li key={instrument.symbol} className="watch-row" data-symbol={instrument.symbol}>
              <ProductLink
                symbol={instrument.symbol}
                chosen={chosen}
                onPicked={onPicked}
                isStop={instrument.symbol === stop}
              >
                <Row instrument={instrument} />
              </ProductLink>
              {loggedIn && (
                <button
                  type="button"
                  className="watch-star"
                  // The key F does it, and the star above the chart: Tab goes on to the next panel.
                  tabIndex={-1}
                  aria-pressed={isFavourite}
                  aria-label={t("market.favouriteOf", { name: instrument.name })}
                  onClick={() => void setFavourite(instrument.symbol, !isFavourite)}
                >
                  {isFavourite ? <IconStarOn size="tiny" /> : <IconStar size="tiny" />}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const Row = memo(function Row({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  return (
    <>
      <span className="grow">
        <span className="watch-name">{instrument.name}</span>
        <span className="note soft cut block">{instrumentWords(t, instrument)}</span>
      </span>
      <Course
        points={instrument.spark.map(Number)}
        base={instrument.dayOpen === null ? null : Number(instrument.dayOpen)}
        direction={directionOf(changeToday(instrument, undefined) ?? 0)}
      />
      <span className="end">
        <LivePrice instrument={instrument} className="figure block" />
        <span className="note">
          <TodayChange instrument={instrument} />
        </span>
      </span>
    </>
  );
});

/** The keys that concern products, wherever the focus is. */
function useWatchlistKeys(root: RefObject<HTMLElement | null>, chosen: string, favourites: readonly string[]): void {
  const loggedIn = useLoggedIn();
  useDeskCommand("search", () => root.current?.querySelector("input")?.focus());
  useDeskCommand("move", (by) => {
    const links = root.current === null ? [] : linksIn(root.current);
    const here = links.findIndex((link) => link.ariaCurrent === "true");
    focusRow(root.current, Math.max(here, 0) + (here < 0 ? 0 : by));
  });
  useDeskCommand("favourite", () => {
    const row = document.activeElement?.closest<HTMLElement>(".watch-row");
    const symbol = row?.dataset["symbol"] ?? chosen;
    if (loggedIn) void setFavourite(symbol, !favourites.includes(symbol));
  });
}

/** Up and down move between the products, as the keyboard's map says. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const links = linksIn(event.currentTarget);
  focusRow(event.currentTarget, links.indexOf(event.target) + step);
}

function linksIn(within: Element): HTMLAnchorElement[] {
  return [...within.querySelectorAll<HTMLAnchorElement>(".watch-row > a")];
}

/** Puts the focus on the row of that place; the first and the last one keep it. */
function focusRow(within: Element | null, place: number): void {
  if (within === null) return;
  const links = linksIn(within);
  links[Math.min(Math.max(place, 0), links.length - 1)]?.focus();
}
