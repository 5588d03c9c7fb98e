import { IconBell, IconChevronRight, IconNews, Wait } from "@fairtick/ui";
import { useMember } from "../../../data/account.ts";
import { noticesSearch, useNewestAnnouncement } from "../../../data/notices.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";

const COUNT_MAX = 99;

/** The header's bell with the unread count. It opens the messages if any of them is unread. */
export function NoticeBell() {
  const t = useText();
  const member = useMember().data;
  const unread = member?.unread.notices ?? 0;
  return (
    <Link
      className="bar-button"
      to="/pages/notice/index"
      search={noticesSearch(member?.unread)}
      aria-label={unread > 0 ? t("home.noticesUnread", { count: unread }) : t("home.notices")}
    >
      <IconBell />
      {unread > 0 && (
        <span className="count" aria-hidden="true" data-testid="unread-notices">
          {unread > COUNT_MAX ? `${COUNT_MAX}+` : unread}
        </span>
      )}
    </Link>
  );
}

/** The newest announcement in one line. The line is always rendered, so that nothing below moves. */
export function AnnouncementLine() {
  const t = useText();
  const newest = useNewestAnnouncement();
  if (newest === undefined || newest === null)
    return (
      <p className="home-announcement soft" aria-busy={newest === undefined}>
        <IconNews size="small" />
        <span className="grow">
          {newest === undefined ? <Wait like="Announcement and its title" /> : t("home.noAnnouncement")}
        </span>
      </p>
    );
  return (
    <Link
      className="home-announcement"
      to="/pages/notice/nDetail"
      search={{ noticeId: newest.noticeId, kind: "announcement" }}
      data-testid="announcement"
    >
      <IconNews size="small" className="soft" />
      <span className="grow cut">
        <span className="label">{t("home.announcement")}</span> {newest.title}
      </span>
      <IconChevronRight size="tiny" className="soft" />
    </Link>
  );
}
