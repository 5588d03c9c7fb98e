import { useText } from "../../shared/i18n.ts";
import { Mark } from "../../shared/Mark.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { refreshAccount } from "../../data/account.ts";
import { refreshInstruments } from "../../data/instruments.ts";
import { refreshNotices } from "../../data/notices.ts";
import { useLoggedIn } from "../../data/session.ts";
import { Assets } from "./components/Assets.tsx";
import { AnnouncementLine, NoticeBell } from "./components/Notices.tsx";
import { Ranking } from "./components/Ranking.tsx";
import { RunningNow } from "./components/RunningNow.tsx";
import { Welcome } from "./components/Welcome.tsx";

/** Total assets first, then what is running now, then the ranking. Nothing blinks. */
export function HomeScreen() {
  const t = useText();
  const loggedIn = useLoggedIn();
  return (
    <Screen
      title={t("home.title")}
      heading={<Mark />}
      actions={<NoticeBell />}
      onRefresh={() => Promise.all([refreshInstruments(), refreshNotices(), loggedIn ? refreshAccount() : undefined])}
    >
      <AnnouncementLine />
      {loggedIn ? (
        <>
          <Assets />
          <RunningNow />
        </>
      ) : (
        <Welcome />
      )}
      <Ranking />
    </Screen>
  );
}
