import { useEffect, useState } from "react";
import type { ChartPlace } from "../../components/chart/chart-settings.ts";
import { navigate } from "../../shared/navigation.tsx";
import { changeLayout, useLayout, type Breakpoint } from "./layout-store.ts";

/** The two charts that a wide workspace has room for. */
export type DeskPlace = Exclude<ChartPlace, "order">;

/** Which products the charts show, and which of them the ticket follows. */
export interface DeskCharts {
  readonly active: DeskPlace;
  /** Product of each chart; `second` is null if there is only one chart. */
  readonly main: string;
  readonly second: string | null;
  /** Whether the second chart always shows the first one's product. */
  readonly isLinked: boolean;
  readonly activate: (place: DeskPlace) => void;
  readonly link: (linked: boolean) => void;
  readonly setTwo: (two: boolean) => void;
}

/** Shows a product in the active chart and the ticket by putting it in the address. */
export function showProduct(symbol: string): void {
  navigate({ to: "/pages/trade/index", search: { symbol }, replace: true });
}

/**
 * The charts of a workspace. `symbol` is the product in the address, which the active chart shows. A narrower
 * workspace has one chart; the second returns when there is room for it.
 */
export function useDeskCharts(breakpoint: Breakpoint, symbol: string): DeskCharts {
  const { hasSecondChart, secondSymbol } = useLayout(breakpoint);
  const hasTwo = breakpoint === "wide" && hasSecondChart;
  const isLinked = secondSymbol === null;
  const [wanted, setWanted] = useState<DeskPlace>("main");
  const [mainSymbol, setMainSymbol] = useState(symbol);
  const active = hasTwo ? wanted : "main";
  const isOwn = active === "main" || isLinked;
  if (isOwn && mainSymbol !== symbol) setMainSymbol(symbol);
  useEffect(() => {
    if (!isOwn && secondSymbol !== symbol) changeLayout(breakpoint, { secondSymbol: symbol });
  }, [isOwn, secondSymbol, symbol, breakpoint]);
  const main = isOwn ? symbol : mainSymbol;
  const second = active === "second" || isLinked ? symbol : secondSymbol;
  return {
    active,
    main,
    second: hasTwo ? second : null,
    isLinked,
    activate: (place) => {
      if (place === active || !hasTwo) return;
      setWanted(place);
      const shown = place === "main" ? main : second;
      // The ticket keeps the order that it shows if the product stays.
      if (shown !== symbol) showProduct(shown);
    },
    link: (linked) => {
      changeLayout(breakpoint, { secondSymbol: linked ? null : second });
    },
    setTwo: (two) => {
      changeLayout(breakpoint, { hasSecondChart: two });
      setWanted("main");
      if (active === "second") showProduct(main);
    },
  };
}
