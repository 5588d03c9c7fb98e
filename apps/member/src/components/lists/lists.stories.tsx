import type { Stories } from "@fairtick/ui/story.ts";
import { useState } from "react";
import { ALWAYS, type DateChoice } from "../../shared/date-span.ts";
import { ChosenDays, DateFilter } from "./DateFilter.tsx";
import { FilterChip } from "./FilterChip.tsx";
import { LoadMore, type Pages } from "./LoadMore.tsx";

const CHOSEN: DateChoice = { name: "chosen", fromDay: "2026-11-01", toDay: "2026-11-24" };

function Filter({ first }: { readonly first: DateChoice }) {
  const [choice, setChoice] = useState(first);
  return <DateFilter choice={choice} onChange={setChoice} />;
}

function Days() {
  const [choice, setChoice] = useState(CHOSEN);
  return <ChosenDays choice={choice} onChange={setChoice} />;
}

/** The end of a list. While failed or busy, it loads nothing automatically. */
function End(state: Partial<Pages>) {
  const pages = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, ...state };
  return <LoadMore pages={{ ...pages, fetchNextPage: () => new Promise(() => undefined) }} />;
}

export const stories = {
  FilterChip: {
    usual: () => (
      <FilterChip
        label="Direction"
        choices={[
          { value: "all", label: "All directions" },
          { value: "up", label: "Higher" },
        ]}
        value="all"
        onChange={() => undefined}
      />
    ),
  },
  DateFilter: { always: () => <Filter first={ALWAYS} />, "chosen days": () => <Filter first={CHOSEN} /> },
  ChosenDays: { "two days": () => <Days /> },
  LoadMore: {
    "more to come": () => <End />,
    coming: () => <End isFetchingNextPage />,
    failed: () => <End isFetchNextPageError />,
    "the end": () => <End hasNextPage={false} />,
  },
} satisfies Stories;
