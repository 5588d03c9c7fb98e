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

type Notice = NonNullable<ReturnType<typeof useNotice>["data"]>;

/** One notice. Opening it marks it as read for a member. */
export function NoticeScreen() {
  const t = useText();
  const { noticeId = "", kind } = useSearch();
  const query = useNotice(noticeId);
  const notice = query.data;
  useMarkedRead(notice);
  const isNone = noticeId === "";
  // Withdrawn or expired.
  const isGone = isWithdrawn(kind, query.error);
  const failed = notice || isGone ? null : query.error;
  const isEmpty = isNone || isGone || failed !== null;
  return (
    <Screen
      title={notice?.title ?? t("notice.title")}
      heading={isEmpty ? undefined : <p className="bar-title">{t(headingOf(notice?.kind))}</p>}
      pushed
      noWallet
      backTo="/pages/notice/index"
      busy={query.isPending && !isEmpty}
    >
      {isNone && <Missing title={t("notice.noneChosen")} more={t("notice.noneChosenMore")} />}
      {isGone && <Missing title={t("notice.gone")} more={t("notice.goneMore")} />}
      {failed && (
        <FailedState
          title={failed.message}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void query.refetch();
          }}
        />
      )}
      {/* Once loaded, the notice stays although a later reload failed. */}
      {!isEmpty && <Article notice={notice} />}
    </Screen>
  );
}

/** Marks a notice as read when a member sees it. */
function useMarkedRead(notice: Notice | undefined): void {
  const loggedIn = useLoggedIn();
  const noticeId = notice?.noticeId ?? "";
  const news = loggedIn && notice?.read === false ? notice.kind : null;
  useEffect(() => {
    // If the call fails, the notice stays unread and is marked the next time.
    if (news !== null) markNoticeRead(noticeId, news).catch(reportFailure);
  }, [news, noticeId]);
}

function Missing({ title, more }: { readonly title: string; readonly more: string }) {
  return (
    <EmptyState title={title} action={<ToList />}>
      {more}
    </EmptyState>
  );
}

/** Returns whether an announcement was withdrawn. Messages can't be. */
function isWithdrawn(kind: string | undefined, error: Error | null): boolean {
  return kind !== "message" && error instanceof CallError && error.failure?.error === "NOT_FOUND";
}

function Article({ notice }: { readonly notice: Notice | undefined }) {
  if (!notice) {
    return (
      <article className="written-page">
        <header>
          <h1 className="notice-heading">
            <Wait like="A title of a usual length" />
          </h1>
          <p className="note soft">
            <Wait like="Nov 21, 2026, 14:20" />
          </p>
        </header>
        <p>
          <Wait like="A line of a written text, as wide as it is" />
        </p>
      </article>
    );
  }
  return (
    <article className="written-page">
      <header>
        <h1 className="notice-heading">{notice.title}</h1>
        <p className="note soft">{formatDateTime(notice.publishedAt)}</p>
      </header>
      <Written body={notice.body} />
      {notice.about && <WayThere about={notice.about} />}
    </article>
  );
}

function ToList() {
  return (
    <Link className="button tint lowkey" to="/pages/notice/index" replace>
      {useText()("notice.toList")}
    </Link>
  );
}

/** A link to what a message is about. */
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
  if (kind === undefined) return "notice.title";
  return kind === "message" ? "notice.message" : "notice.announcement";
}
