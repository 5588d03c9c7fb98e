import {
  Button,
  FailedState,
  IconChevronRight,
  IconEye,
  IconId,
  IconMine,
  IconShield,
  Notice,
  Wait,
} from "@fairtick/ui";
import type { ReactNode } from "react";
import { type Identity, mayHandIn, useIdentity } from "../../data/identity.ts";
import { formatDate, formatDateTime, formatDay } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { Link, navigate } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import "../../components/identity.css";

/** The three verification levels with their state and the next step. */
export function IdentityScreen() {
  const t = useText();
  const query = useIdentity();
  const identity = query.data;
  const isOpen = identity !== undefined && mayHandIn(identity);
  const nextStep = identity?.person && (identity.basic === "pending" || identity.renewal) ? "documents" : "basic";
  return (
    <Screen
      title={t("identity.title")}
      pushed
      broad
      backTo="/pages/user/Center"
      noWallet
      busy={query.isPending}
      foot={
        isOpen && (
          <Button
            look="main"
            onClick={() => {
              navigate({ to: "/pages/auth/Auth", search: { step: nextStep } });
            }}
          >
            {t(buttonOf(identity))}
          </Button>
        )
      }
    >
      {query.isError && !identity ? (
        <FailedState
          title={query.error.message}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void query.refetch();
          }}
        />
      ) : (
        <div className="columns identity-page">
          <State identity={identity} />
          <div>
            <ul className="group" aria-label={t("identity.levels")}>
              <Level
                icon={<IconMine size="small" className="soft" />}
                name={t("identity.basic")}
                note={t("identity.basicNote")}
                state={identity && basicWords(t, identity)}
                to={isOpen ? "basic" : undefined}
              />
              <Level
                icon={<IconId size="small" className="soft" />}
                name={t("identity.real")}
                note={t("identity.realNote")}
                state={
                  identity && t(identity.real === "verified" ? "identity.realName" : `identity.state.${identity.real}`)
                }
                to={isOpen ? nextStep : undefined}
              />
              <Level
                icon={<IconEye size="small" className="soft" />}
                name={t("identity.face")}
                state={t("identity.closed")}
              />
            </ul>
            <p className="note soft identity-why">{t("identity.why")}</p>
          </div>
        </div>
      )}
    </Screen>
  );
}

function buttonOf({ state, ended, renewal, person }: Identity) {
  if (renewal !== undefined || ended === "expired") return "identity.renew";
  if (state === "rejected") return "identity.again";
  return person ? "identity.continue" : "identity.start";
}

/** Returns the state of the basic details. They are checked only together with the document. */
function basicWords(t: Text, { basic, state, person }: Identity): string {
  if (basic === "pending" && state !== "pending" && person) {
    return t("identity.received", { at: formatDate(person.submittedAt) });
  }
  return t(`identity.state.${basic}`);
}

function State({ identity }: { readonly identity: Identity | undefined }) {
  const t = useText();
  if (!identity) {
    return (
      <p className="identity-state">
        <Wait like="Unverified" />
      </p>
    );
  }
  const { state, ended, expiresOn, renewal, document } = identity;
  const day = expiresOn === undefined ? "" : formatDay(expiresOn);
  return (
    <div className="identity-state" aria-live="polite">
      <p className="heading">
        <IconShield className={state === "verified" ? "accent" : "soft"} />
        {t(state === "verified" ? "identity.realName" : `identity.state.${state}`)}
      </p>
      {state === "pending" && document && (
        <p className="label">{t("identity.pendingNote", { at: formatDateTime(document.submittedAt) })}</p>
      )}
      {state === "verified" && document && (
        <p className="label">
          {t(renewal === undefined ? "identity.verifiedNote" : "identity.verifiedAt", {
            at: formatDateTime(document.decidedAt ?? document.submittedAt),
          })}
        </p>
      )}
      {renewal && <RenewalNotice renewal={renewal} day={day} document={document} />}
      {state === "unverified" && ended === "expired" && <Notice>{t("identity.expiredNote", { day })}</Notice>}
      {state === "rejected" && <Rejected identity={identity} />}
    </div>
  );
}

function RenewalNotice({
  renewal,
  day,
  document,
}: {
  readonly renewal: NonNullable<Identity["renewal"]>;
  /** When the current document expires, formatted. */
  readonly day: string;
  readonly document: Identity["document"];
}) {
  const t = useText();
  if (renewal.state === "due") return <Notice>{t("identity.renewNote", { day })}</Notice>;
  if (renewal.state === "rejected") {
    return <Notice>{t("identity.renewRejected", { reason: renewal.reason ?? "", day })}</Notice>;
  }
  return document && <Notice>{t("identity.renewPending", { at: formatDateTime(document.submittedAt) })}</Notice>;
}

function Rejected({ identity: { ended, reason = "" } }: { readonly identity: Identity }) {
  const t = useText();
  if (ended !== "revoked") return <Notice>{t("identity.rejectedBecause", { reason })}</Notice>;
  return (
    <>
      <Notice>{t("identity.revokedBecause", { reason })}</Notice>
      <p className="label">{t("identity.revokedNote")}</p>
    </>
  );
}

function Level({
  icon,
  name,
  note,
  state,
  to,
}: {
  readonly icon: ReactNode;
  readonly name: string;
  readonly note?: string;
  readonly state: string | undefined;
  /** Step of the form; left out if there is nothing to submit. */
  readonly to?: "basic" | "documents" | undefined;
}) {
  const words = (
    <>
      {icon}
      <span className="grow">
        <span className="name-and-state">
          <span>{name}</span>
          <span className="label">{state ?? <Wait like="Unverified" />}</span>
        </span>
        {note !== undefined && <span className="note soft block">{note}</span>}
      </span>
    </>
  );
  return (
    <li>
      {to === undefined ? (
        <div className="row">{words}</div>
      ) : (
        <Link className="row" to="/pages/auth/Auth" search={{ step: to }}>
          {words}
          <IconChevronRight size="tiny" className="soft" />
        </Link>
      )}
    </li>
  );
}
