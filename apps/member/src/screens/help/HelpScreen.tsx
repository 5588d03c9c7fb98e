import { EmptyState, FailedState, IconChevronRight, IconSearch, Wait } from "@fairtick/ui";
import { useState } from "react";
import { WrittenPage } from "../../components/written/WrittenPage.tsx";
import { useHelpArticle, useHelpList, type HelpArticle } from "../../data/content.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { hrefOf, Link, useSearch } from "../../shared/navigation.tsx";
import { ChatTabs } from "./ChatTabs.tsx";
import { ChatView, type Opening } from "./ChatView.tsx";
import { byTopic, searchHelp } from "./help-search.ts";
import "./help.css";

/** The last search, kept while an article is shown. */
let lastSearch = "";

/** The help center: all articles with a search, the article in the address, or the chat. */
export function HelpScreen() {
  const { helpId, tab, topic, amount } = useSearch();
  const loggedIn = useLoggedIn();
  if (helpId !== undefined) return <Article key={helpId} helpId={helpId} />;
  if (tab !== "chat" && topic === undefined) return <Articles />;
  return loggedIn ? <ChatView opening={openingOf(topic, amount)} /> : <LogInFirst topic={topic} amount={amount} />;
}

function openingOf(topic: string | undefined, amount: string | undefined): Opening | null {
  const about = topic === "card" ? "cardDeposit" : topic;
  if (about !== "cardDeposit" && about !== "withdrawal" && about !== "order") return null;
  const isAmount = amount !== undefined && /^\d{1,9}(?:\.\d{1,2})?$/.test(amount);
  return { topic: about, ...(isAmount && { amount }) };
}

/** Asks visitors to log in for the chat. Its topic is kept through the login. */
function LogInFirst({ topic, amount }: { readonly topic: string | undefined; readonly amount: string | undefined }) {
  const t = useText();
  const next = hrefOf({ to: "/pages/kf/index", search: { tab: "chat", topic, amount } });
  return (
    <Screen title={t("chat.title")} pushed backTo="/pages/home/index" noWallet>
      <ChatTabs chosen="chat">
        <EmptyState
          title={t("chat.logInFirst")}
          action={
            <Link className="button tint lowkey" to="/pages/index/index" search={{ next }}>
              {t("shell.login")}
            </Link>
          }
        />
      </ChatTabs>
    </Screen>
  );
}

function Articles() {
  const t = useText();
  const query = useHelpList();
  const [words, setWords] = useState(lastSearch);
  const found = query.data && searchHelp(query.data, words);
  return (
    <Screen title={t("help.title")} pushed broad backTo="/pages/home/index" noWallet busy={query.isPending}>
      <ChatTabs chosen="help">
        <div className="box">
          <IconSearch size="small" className="soft" />
          <input
            type="search"
            aria-label={t("help.search")}
            placeholder={t("help.search")}
            value={words}
            onChange={(event) => {
              lastSearch = event.currentTarget.value;
              setWords(lastSearch);
            }}
          />
        </div>
        {query.isPending && (
          <div className="group">
            {["How an order is decided", "Ties and void orders", "Fees, odds and break-even"].map((like) => (
              <div className="row" key={like}>
                <Wait like={like} />
              </div>
            ))}
          </div>
        )}
        {query.isError && !query.data && (
          <FailedState
            title={query.error.message}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void query.refetch();
            }}
          />
        )}
        <div aria-live="polite">
          {found?.length === 0 && <EmptyState title={t("help.nothingFound")}>{t("help.nothingFoundHint")}</EmptyState>}
        </div>
        {found && (
          <div className="help-topics">
            {byTopic(found).map(([topic, articles]) => (
              <Topic key={topic} topic={topic} articles={articles} />
            ))}
          </div>
        )}
        <nav aria-label={`${t("help.agreement")}, ${t("help.privacy")}`} className="group">
          <Link className="row" to="/pages/notice/xieyi1">
            <span className="grow">{t("help.agreement")}</span>
            <IconChevronRight size="tiny" className="soft" />
          </Link>
          <Link className="row" to="/pages/notice/xieyi">
            <span className="grow">{t("help.privacy")}</span>
            <IconChevronRight size="tiny" className="soft" />
          </Link>
        </nav>
      </ChatTabs>
    </Screen>
  );
}

function Topic({ topic, articles }: { readonly topic: string; readonly articles: readonly HelpArticle[] }) {
  return (
    <section>
      <h2 className="label help-topic">{topic}</h2>
      <ul className="group">
        {articles.map(({ helpId, title }) => (
          <li key={helpId}>
            <Link className="row" to="/pages/kf/index" search={{ helpId }}>
              <span className="grow">{title}</span>
              <IconChevronRight size="tiny" className="soft" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Article({ helpId }: { readonly helpId: string }) {
  const t = useText();
  const query = useHelpArticle(helpId);
  const title = query.data?.title ?? t("help.title");
  return (
    <Screen
      title={title}
      heading={<p className="bar-title">{t("help.title")}</p>}
      pushed
      backTo="/pages/kf/index"
      noWallet
      busy={query.isPending}
    >
      {query.data && <h1 className="help-heading">{title}</h1>}
      <WrittenPage query={query}>
        <Link className="link" to="/pages/kf/index">
          {t("help.all")}
        </Link>
      </WrittenPage>
    </Screen>
  );
}
