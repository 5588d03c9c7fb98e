import type { NoticeSubject } from "@fairtick/protocol";
import { EmptyState, FailedState, Wait } from "@fairtick/ui";
import { useEffect } from "react";
import { Written } from "@fairtick/ui/written.tsx";
import { reportFailure } from "../../data/failures.ts";
import { markNoticeRead, useNotice } from "../../data/notices.ts";
import { CallError } from "../../data/transport.ts";
import { useLoggedIn } from "../../data/session.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import "../../components/written/written.css";
import "./notice.css";

/** One notice; a member who opens it has read it. */
export function NoticeScreen() {
  const t = useText();
  const { noticeId = "", kind } = useSearch();
  const loggedIn = useLoggedIn();
  const query = useNotice(noticeId);
  const notice = query.data;
  const isNone = noticeId === "";
  // Withdrawn, or over.
  const isGone = kind !== "message" && query.error instanceof CallError && query.error.failure?.error === "NOT_FOUND";
  const isEmpty = isNone || isGone || (query.isError && !notice);
  const news = loggedIn && notice?.read === false ? notice.kind : null;
  useEffect(() => {
    // Unread still, it is marked with the next look.
    if (news !== null) markNoticeRead(noticeId, news).catch(reportFailure);
  }, [news, noticeId]);
  return (
    <Screen
      title={notice?.title ?? t("notice.title")}
      heading={isEmpty ? undefined : <p className="bar-title">{t(headingOf(notice?.kind))}</p>}
      pushed
      noWallet
      backTo="/pages/notice/index"
      busy={query.isPending && !isEmpty}
    >
      {isNone && (
        <EmptyState title={t("notice.noneChosen")} action={<ToList />}>
          {t("notice.noneChosenMore")}
        </EmptyState>
      )}
      {isGone && (
        <EmptyState title={t("notice.gone")} action={<ToList />}>
          {t("notice.goneMore")}
        </EmptyState>
      )}
      {query.isError && !notice && !isGone && (
        <FailedState
          title={query.error.message}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void query.refetch();
          }}
        />
      )}
      {/* What was read once stays, though a later look at it failed. */}
      {!isEmpty && (
        <article className="written-page">
          <header>
            <h1 className="notice-heading">{notice?.title ?? <Wait like="A title of a usual length" />}</h1>
            <p className="note soft">
              {notice ? formatDateTime(notice.publishedAt) : <Wait like="Nov 21, 2026, 14:20" />}
            </p>
          </header>
          {notice ? (
            <Written body={notice.body} />
          ) : (
            <p>
              <Wait like="A line of a written text, as wide as it is" />
            </p>
          )}
          {notice?.about && <WayThere about={notice.about} />}
        </article>
      )}
    </Screen>
  );
}

function ToList() {
  return (
    <Link className="button tint lowkey" to="/pages/notice/index" replace>
      {useText()("notice.toList")}
    </Link>
  );
}

/** To what a message tells of. */
function WayThere({ about }: { readonly about: NoticeSubject }) {
  const t = useText();
  const className = "button tint lowkey";
  switch (about.kind) {
    case "deposit":
      return (
        <Link className={className} to="/pages/rk/szhz" search={{ depositNo: about.depositNo }}>
          {t("deposit.show")}
        </Link>
      );
    case "withdrawal":
      return (
        <Link className={className} to="/pages/qk/qk" search={{ withdrawNo: about.withdrawNo }}>
          {t("withdraw.show")}
        </Link>
      );
    case "identity":
      return (
        <Link className={className} to="/pages/auth/index">
          {t("identity.title")}
        </Link>
      );
    case "security":
      return (
        <Link className={className} to="/pages/auth/Safe">
          {t("account.security")}
        </Link>
      );
  }
}

function headingOf(kind: "announcement" | "message" | undefined) {
  return kind === undefined ? "notice.title" : kind === "message" ? "notice.message" : "notice.announcement";
}
