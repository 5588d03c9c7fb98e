import { lazy, Suspense } from "react";
import { Boundary } from "../../shared/Boundary.tsx";
import { activateAllWords, useText } from "../../shared/i18n.ts";
import { Mark } from "../../shared/Mark.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { refreshAccount } from "../../data/account.ts";
import { useCredit } from "../../data/credits.ts";
import { refreshInstruments } from "../../data/instruments.ts";
import { refreshNotices } from "../../data/notices.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useWelcome } from "../../data/welcome.ts";
import { Assets } from "./components/Assets.tsx";
import { AnnouncementLine, NoticeBell } from "./components/Notices.tsx";
import { Ranking } from "./components/Ranking.tsx";
import { RunningNow } from "./components/RunningNow.tsx";
import { Shortcuts } from "./components/Shortcuts.tsx";
import { Welcome } from "./components/Welcome.tsx";

/** Shown once per member, so its code and messages are loaded only then. */
const FirstSteps = lazy(async () => {
  const [part] = await Promise.all([import("./components/FirstSteps.tsx"), activateAllWords()]);
  return { default: part.FirstSteps };
});

/** Shown only after a deposit, until it is seen. */
const CreditOffer = lazy(async () => {
  const [part] = await Promise.all([import("../../components/wallet/CreditOffer.tsx"), activateAllWords()]);
  return { default: part.CreditOffer };
});

/** The home screen: total assets, running orders and the ranking. Nothing blinks. */
export function HomeScreen() {
  const t = useText();
  const loggedIn = useLoggedIn();
  const hasCredit = useCredit() !== null;
  const isFirst = useWelcome() === "due";
  return (
    <Screen
      title={t("home.title")}
      heading={<Mark />}
      actions={<NoticeBell />}
      plainBar
      broad
      onRefresh={() => Promise.all([refreshInstruments(), refreshNotices(), loggedIn ? refreshAccount() : undefined])}
    >
      {loggedIn ? (
        <>
          <Assets />
          {hasCredit && (
            <Boundary broken={null}>
              <Suspense>
                <CreditOffer />
              </Suspense>
            </Boundary>
          )}
          {isFirst && (
            <Boundary broken={null}>
              <Suspense>
                <FirstSteps />
              </Suspense>
            </Boundary>
          )}
          <RunningNow />
        </>
      ) : (
        <Welcome />
      )}
      <Shortcuts />
      <AnnouncementLine />
      <Ranking />
    </Screen>
  );
}
