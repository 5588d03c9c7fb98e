import type { LanguageCode } from "@fairtick/i18n";
import type { Notice } from "@fairtick/protocol";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "./connection.ts";

export interface FreshNotice {
  readonly noticeId: string;
  /** The member; null for an announcement to everyone. */
  readonly memberId: bigint | null;
  inLanguage(lang: LanguageCode): Notice;
}

/** Reads the announcements of the last seconds and the messages to these members. */
export type ReadFreshNotices = (members: readonly bigint[]) => Promise<readonly FreshNotice[]>;
/** Reads the ids of announcements that were withdrawn in the last seconds. */
export type ReadGoneAnnouncements = () => Promise<readonly string[]>;

export interface NoticeSources {
  readonly readFresh: ReadFreshNotices;
  readonly readGone: ReadGoneAnnouncements;
}

const LOOK_EVERY_MS = 1_000;
/** How long to remember what was pushed. Longer than anything counts as fresh. */
const PUSHED_KEPT = 10_000;

/**
 * Checks regularly for new notices and for announcements that are no longer shown, and pushes each once to open sockets. It polls,
 * so that no notice is missed, whichever transaction wrote it, and this also works for announcements whose day comes
 * later. Returns a function that stops it.
 */
export function startNoticePush(
  connections: Iterable<Connection>,
  { readFresh, readGone }: NoticeSources,
  log: Log,
): () => void {
  const pushed = new Set<string>();
  let looking = false;

  async function look(): Promise<void> {
    const listening = [...connections].filter(({ topics }) => topics.has("announcements") || topics.has("messages"));
    if (listening.length === 0) return;
    const byMember = Map.groupBy(
      listening.filter(({ topics, member }) => member !== null && topics.has("messages")),
      ({ member }) => member as bigint,
    );
    for (const notice of await readFresh([...byMember.keys()])) {
      if (pushed.has(notice.noticeId)) continue;
      pushed.add(notice.noticeId);
      if (notice.memberId !== null)
        for (const connection of byMember.get(notice.memberId) ?? [])
          connection.send({ t: "message", d: notice.inLanguage(connection.lang) });
      else
        for (const connection of listening)
          if (connection.topics.has("announcements"))
            connection.send({ t: "announcement", d: notice.inLanguage(connection.lang) });
    }
    for (const noticeId of await readGone()) {
      if (pushed.has(`gone ${noticeId}`)) continue;
      pushed.add(`gone ${noticeId}`);
      for (const connection of listening)
        if (connection.topics.has("announcements")) connection.send({ t: "announcementGone", noticeId });
    }
    for (const noticeId of pushed) {
      if (pushed.size <= PUSHED_KEPT) break;
      pushed.delete(noticeId);
    }
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => log.warn({ err: error }, "new notices could not be read"))
      .finally(() => {
        looking = false;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
