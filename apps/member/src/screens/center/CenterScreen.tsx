import type { Summary } from "@fairtick/protocol";
import {
  FailedState,
  Facts,
  Field,
  IconBell,
  IconChat,
  IconHelp,
  IconId,
  IconInvite,
  IconKey,
  showToast,
  Wait,
} from "@fairtick/ui";
import { useState, type FormEvent } from "react";
import { LogOutButton } from "../../components/LogOutButton.tsx";
import { MenuRow } from "../../components/MenuRow.tsx";
import { setName, useMember, useSummary } from "../../data/account.ts";
import { noticesSearch } from "../../data/notices.ts";
import { useAction } from "../../data/use-action.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatCount, formatPoints } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { counterWords, tooLongWords } from "../../shared/text-length.ts";
import { VipCard } from "./VipCard.tsx";
import "./center.css";

const PARTS = ["start", "identityVerified", "depositReversed"] as const;

/** The member's profile: name, credit score with its parts, assigned managers, and account links. */
export function CenterScreen() {
  const t = useText();
  const member = useMember();
  const summary = useSummary(useWallet());
  const info = member.data;
  return (
    <Screen title={t("center.title")} pushed broad backTo="/pages/user/index" noWallet busy={member.isPending}>
      {member.isError && !info ? (
        <FailedState
          title={member.error.message}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void member.refetch();
          }}
        />
      ) : (
        <div className="columns">
          <div className="center-page">
            {info ? (
              <Name key={info.username} name={info.username} account={info.account} />
            ) : (
              <Wait like="m•••@example.com" />
            )}
            <Score summary={summary.data} />
            {info?.vip && <VipCard vip={info.vip} />}
          </div>
          <div className="center-page">
            <nav className="group" aria-label={t("mine.menu")}>
              <MenuRow
                to="/pages/auth/index"
                icon={<IconId size="small" className="soft" />}
                words={t("identity.title")}
                state={
                  info &&
                  t(info.identityState === "verified" ? "identity.realName" : `identity.state.${info.identityState}`)
                }
              />
              <MenuRow
                to="/pages/auth/Safe"
                icon={<IconKey size="small" className="soft" />}
                words={t("mine.security")}
              />
              <MenuRow
                to="/pages/notice/index"
                search={noticesSearch(info?.unread)}
                icon={<IconBell size="small" className="soft" />}
                words={t("center.notifications")}
                state={info && info.unread.notices > 0 ? t("notice.menu", { count: info.unread.notices }) : undefined}
              />
              <MenuRow
                to="/pages/kf/index"
                search={{ tab: "chat" }}
                icon={<IconChat size="small" className="soft" />}
                words={t("center.service")}
                state={info && info.unread.support > 0 ? t("notice.menu", { count: info.unread.support }) : undefined}
              />
              <MenuRow to="/pages/kf/index" icon={<IconHelp size="small" className="soft" />} words={t("help.title")} />
              <MenuRow
                to="/pages/share/index"
                icon={<IconInvite size="small" className="soft" />}
                words={t("center.share")}
              />
            </nav>
            <LogOutButton className="" />
          </div>
        </div>
      )}
    </Screen>
  );
}

const NAME_MAX = 32;

/** The name that is shown instead of the masked account. */
function Name({ name, account }: { readonly name: string; readonly account: string }) {
  const t = useText();
  const action = useAction();
  const [typed, setTyped] = useState(name === account ? "" : name);
  const [wrong, setWrong] = useState<string>();
  const tooLong = tooLongWords(t, typed, NAME_MAX);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() === "") {
      setWrong(t("fields.enter.account"));
      showToast(t("fields.enter.account"));
      return;
    }
    if (tooLong !== undefined) {
      showToast(tooLong);
      return;
    }
    void action
      .run(
        () => setName(typed),
        (fields) => setWrong(fields["username"]),
      )
      .then((done) => {
        if (done) showToast(t("common.successfullyUpdated"));
      });
  }
  return (
    <form className="card center-card" noValidate onSubmit={submit}>
      <span className="title cut block">{account}</span>
      <Field
        label={t("center.name")}
        hint={counterWords(t, typed, NAME_MAX) ?? t("center.nameNote")}
        autoComplete="nickname"
        value={typed}
        wrong={tooLong ?? wrong}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(undefined);
        }}
        after={
          <button type="submit" className="link label" disabled={action.busy}>
            {t("account.save")}
          </button>
        }
      />
    </form>
  );
}

function Score({ summary }: { readonly summary: Summary | undefined }) {
  const t = useText();
  return (
    <section className="card center-card" aria-labelledby="center-score">
      <h2 className="label" id="center-score">
        {t("mine.creditScore")}
      </h2>
      <p className="big">{summary ? formatCount(summary.creditScore) : <Wait like="100" />}</p>
      <Facts
        facts={(summary?.creditParts ?? []).map(({ reason, points }) => ({
          name: nameOf(t, reason),
          figure: formatPoints(points),
        }))}
      />
      <p className="note soft">{t("center.scoreNote")}</p>
    </section>
  );
}

/** Returns the name of a part of the credit score. A part that only a newer server knows has the server's own name. */
function nameOf(t: ReturnType<typeof useText>, reason: string): string {
  const known = PARTS.find((part) => part === reason);
  return known === undefined ? reason : t(`center.part.${known}`);
}
