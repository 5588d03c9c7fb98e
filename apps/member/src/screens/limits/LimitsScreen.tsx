import { FailedState, IconChevronRight, Notice, showToast, Wait } from "@fairtick/ui";
import { Link } from "../../shared/navigation.tsx";
import { useState } from "react";
import { setLimits, useLimits, type LimitName, type Limits } from "../../data/limits.ts";
import { useAction } from "../../data/use-action.ts";
import { formatDateTime, formatMoney } from "../../shared/format.ts";
import { formatMinutes } from "../../shared/format-span.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { LimitSheet } from "./LimitSheet.tsx";
import { LIMIT_NAMES } from "./limit-form.ts";
import { PauseSheet, type PauseKind } from "./PauseSheet.tsx";
import "./limits.css";

/** Limits that members set for themselves, cool-off and self-exclusion. */
export function LimitsScreen() {
  const t = useText();
  const query = useLimits();
  const limits = query.data;
  const [changing, setChanging] = useState<LimitName | null>(null);
  const [pausing, setPausing] = useState<PauseKind | null>(null);
  if (query.isError && limits === undefined) {
    return (
      <Screen title={t("limits.title")} pushed backTo="/pages/settings/index" noWallet>
        <FailedState
          title={t("limits.failed")}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void query.refetch();
          }}
        />
      </Screen>
    );
  }
  return (
    <Screen title={t("limits.title")} pushed broad backTo="/pages/settings/index" noWallet busy={query.isPending}>
      <div className="columns limits-page">
        <div className="stack">
          <Notice>{t("limits.intro")}</Notice>
          <div className="group">
            {LIMIT_NAMES.map((name) => (
              <LimitRow
                key={name}
                name={name}
                limits={limits}
                onChange={() => {
                  setChanging(name);
                }}
              />
            ))}
          </div>
        </div>
        <Pauses limits={limits} onStart={setPausing} />
      </div>
      {limits && (
        <>
          <LimitSheet
            key={changing}
            name={changing}
            limits={limits}
            onClose={() => {
              setChanging(null);
            }}
          />
          <PauseSheet
            kind={pausing}
            limits={limits}
            onClose={() => {
              setPausing(null);
            }}
          />
        </>
      )}
    </Screen>
  );
}

/** Cool-off and self-exclusion, and the way to the figures that may be a reason for either. */
function Pauses({
  limits,
  onStart,
}: {
  readonly limits: Limits | undefined;
  readonly onStart: (kind: PauseKind) => void;
}) {
  const t = useText();
  return (
    <div className="stack">
      <div className="group">
        <PauseRow kind="coolOff" until={limits?.coolOffUntil} onStart={() => onStart("coolOff")} />
        <PauseRow kind="exclude" until={limits?.excludedUntil} onStart={() => onStart("exclude")} />
      </div>
      <nav className="group">
        <Link className="row low" to="/pages/user/figures">
          <span className="grow">{t("limits.figures")}</span>
          <IconChevronRight size="tiny" className="soft" />
        </Link>
      </nav>
    </div>
  );
}

function valueWords(t: Text, name: LimitName, value: string | number | null): string {
  if (value === null) return t("limits.none");
  return name === "sessionMinutes" ? formatMinutes(Number(value)) : `${formatMoney(String(value))} USD`;
}

function LimitRow({
  name,
  limits,
  onChange,
}: {
  readonly name: LimitName;
  readonly limits: Limits | undefined;
  readonly onChange: () => void;
}) {
  const t = useText();
  const action = useAction();
  const pending = limits?.pending.find(({ limit }) => limit === name);
  return (
    <>
      <button
        type="button"
        className="row"
        data-testid={`limit-${name}`}
        disabled={limits === undefined}
        onClick={onChange}
      >
        <span className="grow">
          <span className="block">{t(`limits.${name}`)}</span>
          <span className="note soft block">{t(`limits.${name}Note`)}</span>
        </span>
        <span className="figure">
          {limits === undefined ? <Wait like="100.00 USD" /> : valueWords(t, name, limits[name])}
        </span>
        <IconChevronRight size="tiny" className="soft" />
      </button>
      {limits !== undefined && pending !== undefined && (
        <div className="row low limits-pending" data-testid={`pending-${name}`}>
          <span className="label grow">
            {pending.value === null
              ? t("limits.pendingNone", { at: formatDateTime(pending.at) })
              : t("limits.pending", { value: valueWords(t, name, pending.value), at: formatDateTime(pending.at) })}
          </span>
          <button
            type="button"
            className="link label"
            disabled={action.busy}
            onClick={() => {
              void action
                .run(() => setLimits({ [name]: String(limits[name] ?? "none") }))
                .then((done) => {
                  if (done) showToast(t("common.successfullyUpdated"));
                });
            }}
          >
            {t("limits.takeBack")}
          </button>
        </div>
      )}
    </>
  );
}

function PauseRow({
  kind,
  until,
  onStart,
}: {
  readonly kind: PauseKind;
  readonly until: number | null | undefined;
  readonly onStart: () => void;
}) {
  const t = useText();
  return (
    <button
      type="button"
      className="row"
      data-testid={`pause-${kind}`}
      disabled={until === undefined}
      onClick={onStart}
    >
      <span className="grow">
        <span className="block">{t(`limits.${kind}`)}</span>
        <span className={typeof until === "number" ? "note block" : "note soft block"}>
          {typeof until === "number" ? t("limits.until", { until: formatDateTime(until) }) : t(`limits.${kind}Note`)}
        </span>
      </span>
      <IconChevronRight size="tiny" className="soft" />
    </button>
  );
}
