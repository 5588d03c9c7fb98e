import { Button, FailedState, IconChevronRight, Notice, Wait } from "@fairtick/ui";
import { Fragment, useEffect, useRef } from "react";
import { useHelpList } from "../../data/content.ts";
import {
  markSupportRead,
  useSupportThread,
  useSupportTyping,
  type SupportMessage,
  type SupportThread,
} from "../../data/support.ts";
import { reportFailure } from "../../data/failures.ts";
import { openSupport, sendSupport, trySupport, useSupportDraft, writeSupport } from "../../data/support-draft.ts";
import { formatDate, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link, navigate } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { ChatTabs } from "./ChatTabs.tsx";
import { Composer } from "./Composer.tsx";
import { PendingBubble, SaidBubble } from "./Bubbles.tsx";
import { suggestHelp } from "./suggest-help.ts";
import "./chat.css";

/** What the chat was opened about: `?topic=card&amount=200`. */
export interface Opening {
  readonly topic: NonNullable<SupportMessage["topic"]>;
  readonly amount?: string;
}

/** The chat with customer service. */
export function ChatView({ opening }: { readonly opening: Opening | null }) {
  const t = useText();
  const query = useSupportThread();
  const { words, pending } = useSupportDraft();
  const firstWords = opening === null ? "" : openingWords(t, opening);
  useEffect(() => {
    openSupport(opening, firstWords);
  }, [opening, firstWords]);
  const [newest] = query.data?.pages ?? [];
  const messages = query.data?.pages.flatMap((page) => page.messages.items).toReversed();
  useReading(newest);

  return (
    <Screen
      title={t("chat.title")}
      pushed
      noWallet
      backTo="/pages/home/index"
      busy={query.isPending}
      foot={
        newest && (
          <Composer
            draft={words}
            onDraft={writeSupport}
            onSend={(saying) => {
              sendSupport(saying);
              // The topic is used once, so that a reload doesn't use it again.
              if (opening !== null) navigate({ to: "/pages/kf/index", search: { tab: "chat" }, replace: true });
            }}
          />
        )
      }
    >
      <ChatTabs chosen="chat">
        {messages === undefined && <NotRead query={query} />}
        {newest && <Hours thread={newest} />}
        {messages?.length === 0 && pending.length === 0 && <p className="label chat-empty">{t("chat.empty")}</p>}
        <Suggestions question={words} />
        {query.hasNextPage && <Earlier query={query} />}
        <Log messages={messages ?? []} pending={pending} />
        <End key={`${newest?.messages.items[0]?.messageId} ${pending.length}`} />
      </ChatTabs>
    </Screen>
  );
}

/** Shown while the thread is loading, or if it failed to load. */
function NotRead({ query }: { readonly query: ReturnType<typeof useSupportThread> }) {
  const t = useText();
  if (!query.isError) {
    return (
      <p className="said">
        <Wait like="Hello, how can I help you?" />
      </p>
    );
  }
  return (
    <FailedState
      title={query.error.message}
      retryLabel={t("shell.tapToRetry")}
      onRetry={() => {
        void query.refetch();
      }}
    />
  );
}

function Earlier({ query }: { readonly query: ReturnType<typeof useSupportThread> }) {
  const t = useText();
  return (
    <Button
      lowkey
      off={query.isFetchingNextPage}
      onClick={() => {
        void query.fetchNextPage();
      }}
    >
      {t(query.isFetchNextPageError ? "shell.tapToRetry" : "chat.earlier")}
    </Button>
  );
}

function Log({
  messages,
  pending,
}: {
  readonly messages: readonly SupportMessage[];
  readonly pending: ReturnType<typeof useSupportDraft>["pending"];
}) {
  const t = useText();
  return (
    <div className="chat-log" role="log" aria-label={t("chat.log")}>
      {messages.map((message, place) => (
        <Fragment key={message.messageId}>
          <Heading message={message} before={messages[place - 1]} />
          <SaidBubble message={message} />
        </Fragment>
      ))}
      {pending.map(({ saying, failed }) => (
        <PendingBubble
          key={saying.clientId}
          saying={saying}
          failed={failed}
          onRetry={() => {
            void trySupport(saying);
          }}
        />
      ))}
      <Typing />
    </div>
  );
}

function openingWords(t: ReturnType<typeof useText>, { topic, amount }: Opening): string {
  if (topic !== "cardDeposit") return "";
  return amount === undefined ? t("chat.cardOpeningPlain") : t("chat.cardOpening", { amount: formatMoney(amount) });
}

/** Marks messages as read while they are shown, unless the page is hidden. */
function useReading(thread: SupportThread | undefined): void {
  const newest = thread?.messages.items[0];
  const news = newest?.from === "operator" && newest.readAt === null ? newest.messageId : null;
  useEffect(() => {
    if (news === null) return undefined;
    const read = () => {
      if (document.visibilityState === "visible") markSupportRead().catch(reportFailure);
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [news]);
}

function Hours({ thread }: { readonly thread: SupportThread }) {
  const t = useText();
  const { officeHours: hours, officeOpen, operatorOnline } = thread;
  return (
    <div className="chat-hours">
      {operatorOnline ? (
        <p className="note soft">{t("chat.hours", { hours })}</p>
      ) : (
        <Notice>{t(officeOpen ? "chat.away" : "chat.closed", { hours })}</Notice>
      )}
      <p className="note soft">{t("chat.rules")}</p>
    </div>
  );
}

/** Help articles that may answer the question before an operator has to. */
function Suggestions({ question }: { readonly question: string }) {
  const t = useText();
  const articles = useHelpList().data ?? [];
  const found = suggestHelp(articles, question);
  if (found.length === 0) return null;
  return (
    <section aria-label={t("chat.answers")}>
      <p className="label chat-answers">{t("chat.answers")}</p>
      <ul className="group">
        {found.map(({ helpId, title }) => (
          <li key={helpId}>
            <Link className="row low" to="/pages/kf/index" search={{ helpId }}>
              <span className="grow">{title}</span>
              <IconChevronRight size="tiny" className="soft" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The date where it changes, and the topic of a message. */
function Heading({
  message,
  before,
}: {
  readonly message: SupportMessage;
  readonly before: SupportMessage | undefined;
}) {
  const t = useText();
  const day = formatDate(message.createdAt);
  const isNewDay = before === undefined || formatDate(before.createdAt) !== day;
  const about = aboutOf(t, message);
  if (!isNewDay && about === null) return null;
  return (
    <p className="note soft chat-day">{[isNewDay ? day : null, about].filter((part) => part !== null).join(" · ")}</p>
  );
}

function aboutOf(t: ReturnType<typeof useText>, { topic, amount }: SupportMessage): string | null {
  switch (topic) {
    case "cardDeposit":
      return amount === null ? t("chat.aboutCardPlain") : t("chat.aboutCard", { amount: formatMoney(amount) });
    case "withdrawal":
      return t("chat.aboutWithdrawal");
    case "order":
      return t("chat.aboutOrder");
    case "other":
    case null:
      return null;
  }
}

function Typing() {
  const t = useText();
  return useSupportTyping() ? <p className="note soft">{t("chat.typing")}</p> : null;
}

/** Scrolls the newest message into view. Mounted again with each message. */
function End() {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, []);
  return <div ref={end} />;
}
