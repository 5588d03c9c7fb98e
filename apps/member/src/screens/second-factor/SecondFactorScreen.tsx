import {
  FailedState,
  IconChevronRight,
  IconKey,
  IconLock,
  IconPlus,
  Notice,
  Sheet,
  showToast,
  Wait,
} from "@fairtick/ui";
import { useState, type ReactNode } from "react";
import { useSecondFactors, type SecondFactors } from "../../data/second-factor.ts";
import { formatDateTime } from "../../shared/format.ts";
import { type Text, useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { AddApp } from "./AddApp.tsx";
import { AddPasskey } from "./AddPasskey.tsx";
import { NewCodes, RecoveryCodes } from "./RecoveryCodes.tsx";
import { RemoveFactor } from "./RemoveFactor.tsx";
import "../../components/account.css";
import "./second-factor.css";

/** What the sheet is open for. A removal names the factor as the server does. */
type Doing = "app" | "passkey" | "codes" | { readonly remove: string; readonly name: string; readonly isLast: boolean };

const TITLES = { app: "factor.addApp", passkey: "factor.addPasskey", codes: "factor.codes" } as const;

function titleOf(t: Text, doing: Doing): string {
  return typeof doing === "object" ? t("factor.removeNamed", { name: doing.name }) : t(TITLES[doing]);
}

/** Two-step verification: the member's app, passkeys and recovery codes. */
export function SecondFactorScreen() {
  const t = useText();
  const factors = useSecondFactors();
  const [doing, setDoing] = useState<Doing | null>(null);
  /** Recovery codes that the member has yet to save. */
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setDoing(null);
    setCodes(null);
  };
  const done = (made: readonly string[] = []) => {
    if (made.length > 0) setCodes(made);
    else close();
  };
  const title = doing ?? (codes === null ? null : "codes");
  return (
    <Screen title={t("factor.title")} pushed backTo="/pages/auth/Safe" noWallet busy={factors.isPending}>
      <div className="stack factor-page">
        <p className="label">{t("factor.note")}</p>
        {factors.isError && !factors.data && (
          <FailedState
            title={factors.error.message}
            retryLabel={t("shell.tapToRetry")}
            onRetry={() => {
              void factors.refetch();
            }}
          />
        )}
        {factors.isPending && (
          <div className="group">
            <div className="row low">
              <Wait like="Authenticator app" />
            </div>
          </div>
        )}
        {factors.data && <FactorList factors={factors.data} onDo={setDoing} />}
      </div>
      <Sheet
        open={doing !== null || codes !== null}
        onClose={() => {
          // The codes are shown only once. A tap beside the sheet or a step back would lose them.
          if (codes === null) close();
          else showToast(t("factor.saveFirst"), 4_000);
        }}
        stays={codes !== null}
        title={title === null ? "" : titleOf(t, title)}
        closeLabel={t("shell.close")}
      >
        {codes !== null && <RecoveryCodes codes={codes} onDone={close} />}
        {codes === null && doing !== null && <Change doing={doing} onDone={done} />}
      </Sheet>
    </Screen>
  );
}

/** The form of one change. `onDone` gets recovery codes if it made any. */
function Change({ doing, onDone }: { readonly doing: Doing; readonly onDone: (codes?: readonly string[]) => void }) {
  if (typeof doing === "object") return <RemoveFactor factor={doing.remove} isLast={doing.isLast} onDone={onDone} />;
  if (doing === "app") return <AddApp onDone={onDone} />;
  return doing === "passkey" ? <AddPasskey onDone={onDone} /> : <NewCodes onDone={onDone} />;
}

function FactorList({ factors, onDo }: { readonly factors: SecondFactors; readonly onDo: (doing: Doing) => void }) {
  const t = useText();
  const { totp, passkeys, recoveryCodesLeft, passkeyOrigin } = factors;
  const isLast = passkeys.length + (totp === null ? 0 : 1) === 1;
  const hasAny = passkeys.length > 0 || totp !== null;
  return (
    <>
      {hasAny && (
        <div className="group">
          {totp !== null && (
            <FactorRow
              icon={<IconLock size="small" className="soft" />}
              name={t("factor.app")}
              {...totp}
              onRemove={() => {
                onDo({ remove: "totp", name: t("factor.app"), isLast });
              }}
            />
          )}
          {passkeys.map((passkey) => (
            <FactorRow
              key={passkey.passkeyId}
              icon={<IconKey size="small" className="soft" />}
              {...passkey}
              onRemove={() => {
                onDo({ remove: passkey.passkeyId, name: passkey.name, isLast });
              }}
            />
          ))}
          <Row
            words={t("factor.codes")}
            state={t("factor.codesLeft", { count: recoveryCodesLeft })}
            onClick={() => {
              onDo("codes");
            }}
          />
        </div>
      )}
      <div className="group">
        <Row
          icon={<IconPlus size="small" className="soft" />}
          words={t("factor.addApp")}
          onClick={() => {
            onDo("app");
          }}
        />
        {passkeyOrigin === location.origin && (
          <Row
            icon={<IconPlus size="small" className="soft" />}
            words={t("factor.addPasskey")}
            onClick={() => {
              onDo("passkey");
            }}
          />
        )}
      </div>
      {passkeyOrigin !== null && passkeyOrigin !== location.origin && (
        <Notice>{t("factor.elsewhere", { origin: passkeyOrigin })}</Notice>
      )}
    </>
  );
}

function FactorRow({
  icon,
  name,
  madeAt,
  usedAt,
  onRemove,
}: {
  readonly icon: ReactNode;
  readonly name: string;
  readonly madeAt: number;
  readonly usedAt: number | null;
  readonly onRemove: () => void;
}) {
  const t = useText();
  return (
    <div className="row">
      {icon}
      <span className="grow">
        <span className="block">{name}</span>
        <span className="note soft block">
          {usedAt === null
            ? t("factor.added", { at: formatDateTime(madeAt) })
            : t("factor.used", { at: formatDateTime(usedAt) })}
        </span>
      </span>
      <button type="button" className="link label" aria-label={t("factor.removeNamed", { name })} onClick={onRemove}>
        {t("factor.remove")}
      </button>
    </div>
  );
}

function Row({
  icon,
  words,
  state,
  onClick,
}: {
  readonly icon?: ReactNode;
  readonly words: string;
  readonly state?: string;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className="row low indent" onClick={onClick}>
      {icon}
      <span className="grow">{words}</span>
      {state !== undefined && <span className="label">{state}</span>}
      <IconChevronRight size="tiny" className="soft" />
    </button>
  );
}
