import {
  Button,
  FailedState,
  IconChevronRight,
  IconKey,
  IconLock,
  IconLogout,
  IconShield,
  Sheet,
  showToast,
  Wait,
} from "@fairtick/ui";
import { useState } from "react";
import { useMember } from "../../data/account.ts";
import { endAllSessions, revokeSession, useSessions, type DeviceSession } from "../../data/security.ts";
import { useSecondFactors } from "../../data/second-factor.ts";
import { LOGIN_ADDRESS } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { Link, navigate } from "../../shared/navigation.tsx";
import { FreezeRow } from "./FreezeRow.tsx";
import { OrderDevices } from "./OrderDevices.tsx";
import "../../components/account.css";

/** Both passwords and the second factor with their state, and every device that is logged in. */
export function SafeScreen() {
  const t = useText();
  const member = useMember();
  const sessions = useSessions();
  return (
    <Screen title={t("account.security")} pushed broad backTo="/pages/user/index" noWallet busy={sessions.isPending}>
      <div className="columns">
        <div>
          <nav className="group">
            <Link className="row low indent" to="/pages/auth/SetLoginPwd">
              <IconLock size="small" className="soft" />
              <span className="grow">{t("account.loginPassword")}</span>
              <span className="label">{t("account.change")}</span>
              <IconChevronRight size="tiny" className="soft" />
            </Link>
            <Link className="row low indent" to="/pages/auth/SetTradePwd">
              <IconKey size="small" className="soft" />
              <span className="grow">{t("account.paymentPassword")}</span>
              <span className="label">
                {member.data ? (
                  t(member.data.tradePasswordSet ? "account.isSet" : "account.notSet")
                ) : (
                  <Wait like="Not set" />
                )}
              </span>
              <IconChevronRight size="tiny" className="soft" />
            </Link>
            <Link className="row low indent" to="/pages/auth/SecondFactor">
              <IconShield size="small" className="soft" />
              <span className="grow">{t("factor.title")}</span>
              <span className="label">
                <FactorState />
              </span>
              <IconChevronRight size="tiny" className="soft" />
            </Link>
          </nav>
          {member.data && <FreezeRow frozenSince={member.data.frozenSince} />}
        </div>
        <div>
          <h2 className="section">{t("account.devices")}</h2>
          {sessions.isError && !sessions.data ? (
            <FailedState
              title={sessions.error.message}
              retryLabel={t("shell.tapToRetry")}
              onRetry={() => {
                void sessions.refetch();
              }}
            />
          ) : (
            <div className="group">
              {sessions.data?.map((session) => (
                <DeviceRow key={session.sessionId} session={session} />
              ))}
              {sessions.isPending && (
                <div className="row">
                  <Wait like="Chrome on Android, Berlin" />
                </div>
              )}
            </div>
          )}
          {sessions.data && <EndAll />}
          <OrderDevices />
        </div>
      </div>
    </Screen>
  );
}

function FactorState() {
  const t = useText();
  const { data, isPending } = useSecondFactors();
  if (isPending) return <Wait like="Off" />;
  if (data === undefined) return null;
  return t(data.totp !== null || data.passkeys.length > 0 ? "factor.on" : "factor.off");
}

/** Ends every session, after a warning that this one is included. */
function EndAll() {
  const t = useText();
  const action = useAction();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button
        look="edge"
        className="safe-end"
        onClick={() => {
          setAsked(true);
        }}
      >
        <IconLogout size="small" />
        {t("account.endAll")}
      </Button>
      <Sheet
        open={asked}
        onClose={() => {
          setAsked(false);
        }}
        title={t("account.endAll")}
        closeLabel={t("shell.close")}
      >
        <div className="form">
          <p>{t("account.endAllSure")}</p>
          <Button
            look="main"
            disabled={action.busy}
            onClick={() => {
              void action.run(endAllSessions).then((done) => {
                if (!done) return;
                showToast(t("common.operationSuccessful"));
                navigate({ to: LOGIN_ADDRESS, replace: true });
              });
            }}
          >
            {t("account.endAll")}
          </Button>
        </div>
      </Sheet>
    </>
  );
}

function DeviceRow({ session }: { readonly session: DeviceSession }) {
  const t = useText();
  const action = useAction();
  // The program doesn't identify itself.
  const device = session.device.trim() || t("account.unknownDevice");
  return (
    <div className="row">
      <span className="grow">
        <span className="block">{device}</span>
        <span className="note soft block">
          {[session.place, t("account.seen", { at: formatDateTime(session.seenAt) })].filter(Boolean).join(" · ")}
        </span>
      </span>
      {session.current ? (
        <span className="label">{t("account.thisDevice")}</span>
      ) : (
        <button
          type="button"
          className="link label"
          aria-label={t("account.endSessionOf", { device })}
          disabled={action.busy}
          onClick={() => {
            void action
              .run(() => revokeSession(session.sessionId))
              .then((done) => {
                if (done) showToast(t("common.operationSuccessful"));
              });
          }}
        >
          {t("account.endSession")}
        </button>
      )}
    </div>
  );
}
