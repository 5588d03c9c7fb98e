import { Button } from "@fairtick/ui";
import { useEffect, useRef } from "react";
import { useText } from "../../shared/i18n.ts";

/** The end of a list: the next piece comes when it is scrolled to, or by its button. */
export function LoadMore({
  hasMore,
  busy,
  onMore,
}: {
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly onMore: () => void;
}) {
  const t = useText();
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  }, [onMore]);
  useEffect(() => {
    if (!hasMore || busy || end.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) more.current();
    });
    observer.observe(end.current);
    return () => {
      observer.disconnect();
    };
  }, [hasMore, busy]);
  return (
    <div className="load-more" ref={end}>
      {hasMore ? (
        <Button lowkey off={busy} onClick={onMore}>
          {t("orders.more")}
        </Button>
      ) : (
        <p className="note soft">{t("orders.end")}</p>
      )}
    </div>
  );
}
