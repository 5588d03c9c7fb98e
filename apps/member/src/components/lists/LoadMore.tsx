import { Button } from "@fairtick/ui";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useText } from "../../shared/i18n.ts";
import "./lists.css";

/** What the end of a list needs from the query of its pages. */
export type Pages = Pick<
  UseInfiniteQueryResult,
  "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "fetchNextPage"
>;

/**
 * The end of a list. The next page loads when it is scrolled into view, or by its button. After a failure only the
 * button retries, because the end is still in view and would retry endlessly.
 */
export function LoadMore({ pages }: { readonly pages: Pages }) {
  const t = useText();
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage: busy, isFetchNextPageError: failed, fetchNextPage } = pages;
  const more = useRef(fetchNextPage);
  useEffect(() => {
    more.current = fetchNextPage;
  }, [fetchNextPage]);
  useEffect(() => {
    if (!hasNextPage || busy || failed || end.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void more.current();
    });
    observer.observe(end.current);
    return () => {
      observer.disconnect();
    };
  }, [hasNextPage, busy, failed]);
  return (
    <div className="load-more" ref={end}>
      {hasNextPage ? (
        <Button lowkey off={busy} onClick={() => void fetchNextPage()}>
          {t(failed ? "shell.tapToRetry" : "orders.more")}
        </Button>
      ) : (
        <p className="note soft">{t("orders.end")}</p>
      )}
    </div>
  );
}
