import { EmptyState, FailedState, IconChevronRight, TabPanel, Wait, Words } from "@fairtick/ui";
import { LoadMore } from "../../components/lists/LoadMore.tsx";
import { NotificationsSwitch } from "../../components/settings/NotificationsSwitch.tsx";
import { useMember } from "../../data/account.ts";
import { refreshNotices, useNotices, type Notice, type NoticeKind } from "../../data/notices.ts";
import { useLoggedIn } from "../../data/session.ts";
import { formatCount, formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link, navigate, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import "../../components/lists/lists.css";
import "./notice.css";

const PANEL = "notices";

/** Announcements for everyone, and the member's own messages. */
export function NoticesScreen() {
  const t = useText();
  const loggedIn = useLoggedIn();
  const kind: NoticeKind = useSearch()["kind"] === "message" ? "message" : "announcement";
  const { notices, messages } = useMember().data?.unread ?? { notices: 0, messages: 0 };
  const withCount = (words: string, unread: number) => (unread > 0 ? `${words} (${formatCount(unread)})` : words);
  return (
    <Screen title={t("notice.title")} pushed broad noWallet backTo="/pages/home/index" onRefresh={refreshNotices}>
      <Words
        label={t("notice.title")}
        panel={PANEL}
        choices={[
          { value: "announcement", label: withCount(t("notice.announcements"), notices - messages) },
          { value: "message", label: withCount(t("notice.messages"), messages) },
        ]}
        value={kind}
        onChange={(chosen) => {
          navigate({ to: "/pages/notice/index", search: { kind: chosen }, replace: true });
        }}
      />
      <TabPanel id={PANEL} chosen={kind}>
        <div className={loggedIn ? "columns leading" : undefined}>
          <div>{kind === "message" && !loggedIn ? <LogInFirst /> : <NoticeList key={kind} kind={kind} />}</div>
          {loggedIn && (
            <div className="group">
              <NotificationsSwitch />
            </div>
          )}
        </div>
      </TabPanel>
    </Screen>
  );
}

function NoticeList({ kind }: { readonly kind: NoticeKind }) {
  const t = useText();
  const query = useNotices(kind);
  const notices = query.data?.pages.flatMap(({ items }) => items);
  if (query.isError && notices === undefined)
    return (
      <FailedState
        title={query.error.message}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => {
          void query.refetch();
        }}
      />
    );
  if (notices === undefined) return <Waiting />;
  if (notices.length === 0)
    return (
      <EmptyState title={t(kind === "message" ? "notice.noMessages" : "notice.noAnnouncements")}>
        {t(kind === "message" ? "notice.noMessagesMore" : "notice.noAnnouncementsMore")}
      </EmptyState>
    );
  return (
    <>
      <ul className="group">
        {notices.map((notice) => (
          <li key={notice.noticeId}>
            <NoticeRow notice={notice} />
          </li>
        ))}
      </ul>
      <LoadMore pages={query} />
    </>
  );
}

function NoticeRow({ notice: { noticeId, kind, title, publishedAt, read } }: { readonly notice: Notice }) {
  const t = useText();
  return (
    <Link className="row" to="/pages/notice/nDetail" search={{ noticeId, kind }} data-testid="notice">
      <span className="grow notice-row">
        <span className={read ? "block" : "block notice-new"}>
          {!read && <span className="unseen">{t("notice.unread")} </span>}
          {title}
        </span>
        <span className="note soft block">{formatDateTime(publishedAt)}</span>
      </span>
      <IconChevronRight size="tiny" className="soft" />
    </Link>
  );
}

function Waiting() {
  return (
    <div className="group" aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className="row">
          <span className="grow">
            <Wait like="A title of a usual length" />
          </span>
        </div>
      ))}
    </div>
  );
}

function LogInFirst() {
  const t = useText();
  return (
    <EmptyState
      title={t("notice.logInFirst")}
      action={
        <Link
          className="button tint lowkey"
          to="/pages/index/index"
          search={{ next: "/pages/notice/index?kind=message" }}
        >
          {t("shell.login")}
        </Link>
      }
    />
  );
}
