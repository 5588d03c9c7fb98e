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

/** All products with lists and a search: today's price, change and sparkline. A click shows one in chart and ticket. */
export function Watchlist({
  chosen,
  breakpoint,
  onPicked,
}: {
  readonly chosen: string;
  readonly breakpoint: Breakpoint;
  /** Called when a product was clicked. */
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

/** Explains the arrow and letter keys of the watchlist. */
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
  /** The only row in the Tab order. Arrow keys move on from there. */
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
                  // Skipped by Tab, which goes on to the next panel. The F key and the star above the chart do the same.
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

/** Handles the keys that concern products, wherever the focus is. */
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

/** Moves the focus between the products with the up and down keys. */
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

/** Focuses the row at a position, limited to the first and last rows. */
function focusRow(within: Element | null, place: number): void {
  if (within === null) return;
  const links = linksIn(within);
  links[Math.min(Math.max(place, 0), links.length - 1)]?.focus();
}
