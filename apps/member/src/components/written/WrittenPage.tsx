import { FailedState, Wait } from "@fairtick/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { WrittenText } from "../../data/content.ts";
import { formatDay } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Written } from "@fairtick/ui/written.tsx";
import "./written.css";

const LINES = [
  "A line of a written text, as wide as it is",
  "Another one, a little shorter",
  "And a third line of words",
];

/** A written text while it loads, if it failed to load, and when it is there. `children` are placed below it. */
export function WrittenPage({
  query,
  children,
}: {
  readonly query: UseQueryResult<WrittenText>;
  readonly children?: ReactNode;
}) {
  const t = useText();
  if (query.data)
    return (
      <article className="written-page">
        <Written body={query.data.body} />
        <p className="note soft">
          {t("help.version", { version: query.data.version, date: formatDay(query.data.date) })}
        </p>
        {children}
      </article>
    );
  if (query.isError)
    return (
      <FailedState
        title={query.error.message}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => {
          void query.refetch();
        }}
      />
    );
  return (
    <div className="written-page written-wait">
      {[0, 1, 2].flatMap((paragraph) =>
        LINES.map((like) => (
          <p key={`${paragraph} ${like}`}>
            <Wait like={like} />
          </p>
        )),
      )}
    </div>
  );
}
