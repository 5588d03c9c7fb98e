import { ALWAYS, SPANS, type DateChoice } from "./date-span.ts";
import { currentPlace, navigate, useSearch, useShownPath, type Path } from "./navigation.tsx";

type Changes = Readonly<Record<string, string | undefined>>;

/**
 * Returns a function that changes parts of the current screen's query in place, so that reloads, links and back keep
 * them.
 */
function useQueryChange(): (changes: Changes) => void {
  const path = useShownPath();
  return (changes) => {
    const place = currentPlace();
    // The screen may have been left since.
    if (place.path !== path) return;
    navigate({ to: path as Path, search: { ...place.search, ...changes }, replace: true });
  };
}

/** One of several choices, stored in the address under `name`. The usual choice is left out of the address. */
export function useAddressChoice<Value extends string>(
  name: string,
  choices: readonly Value[],
  usual: Value,
): readonly [Value, (value: Value) => void] {
  const borne = useSearch()[name];
  const change = useQueryChange();
  const chosen = choices.find((choice) => choice === borne) ?? usual;
  return [chosen, (value) => change({ [name]: value === usual ? undefined : value })];
}

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The dates of a list, as stored in the address: `dates=week`, or `dates=chosen&from=2026-11-01&to=2026-11-20`. */
export function useAddressDates(): readonly [DateChoice, (dates: DateChoice) => void] {
  const { dates, from = "", to = "" } = useSearch();
  const change = useQueryChange();
  const name = SPANS.find((span) => span === dates) ?? ALWAYS.name;
  const day = (text: string) => (name === "chosen" && DAY.test(text) ? text : "");
  const choice = { name, fromDay: day(from), toDay: day(to) };
  return [
    choice,
    (next) => {
      const isChosen = next.name === "chosen";
      change({
        dates: next.name === ALWAYS.name ? undefined : next.name,
        from: isChosen && next.fromDay !== "" ? next.fromDay : undefined,
        to: isChosen && next.toDay !== "" ? next.toDay : undefined,
      });
    },
  ];
}
