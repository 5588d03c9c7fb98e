import { AmountField, Button, Field, Notice, Sheet, showToast } from "@fairtick/ui";
import { useState, type FormEvent } from "react";
import { setLimits, type LimitName, type Limits } from "../../data/limits.ts";
import { useAction } from "../../data/use-action.ts";
import { amountWriting } from "../../shared/amount-writing.ts";
import { decimalSign } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { isLooser, readLimit, typedLimit } from "./limit-form.ts";
import "../../components/account.css";

/** Edits one limit, shows when it takes effect, and removes it. */
export function LimitSheet({
  name,
  limits,
  onClose,
}: {
  readonly name: LimitName | null;
  readonly limits: Limits;
  readonly onClose: () => void;
}) {
  const t = useText();
  return (
    <Sheet
      open={name !== null}
      onClose={onClose}
      title={name === null ? "" : t(`limits.${name}`)}
      closeLabel={t("shell.close")}
    >
      {name !== null && <LimitForm name={name} limits={limits} onDone={onClose} />}
    </Sheet>
  );
}

function LimitForm({
  name,
  limits,
  onDone,
}: {
  readonly name: LimitName;
  readonly limits: Limits;
  readonly onDone: () => void;
}) {
  const t = useText();
  const action = useAction();
  const [typed, setTyped] = useState(() => typedLimit(limits, name));
  const [wrong, setWrong] = useState<string>();
  const read = readLimit(name, typed, decimalSign());

  function change(next: string) {
    setTyped(next);
    setWrong(undefined);
  }

  function save(value: string) {
    void action
      .run(
        () => setLimits({ [name]: value }),
        (fields) => setWrong(fields[name]),
      )
      .then((done) => {
        if (!done) return;
        showToast(t(limits[name] === null ? "common.successfullySet" : "common.successfullyUpdated"));
        onDone();
      });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if ("value" in read) return save(read.value);
    setWrong(t(read.wrong, read.values));
    showToast(t(read.wrong, read.values));
  }

  return (
    <form className="form" noValidate onSubmit={submit}>
      <p className="label">{t(`limits.${name}Note`)}</p>
      {name === "sessionMinutes" ? (
        <Field
          label={t("limits.minutes")}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          wrong={wrong}
          onChange={(event) => change(event.currentTarget.value)}
        />
      ) : (
        <AmountField
          label={t("limits.amount")}
          unit={t("shell.usd")}
          writing={amountWriting()}
          value={typed}
          wrong={wrong}
          onInput={change}
        />
      )}
      {"value" in read && (
        <Notice>{t(isLooser(limits, name, read.value) ? "limits.holdsLater" : "limits.holdsAtOnce")}</Notice>
      )}
      <Button look="main" type="submit" disabled={action.busy}>
        {t("account.save")}
      </Button>
      {limits[name] !== null && (
        <Button
          disabled={action.busy}
          onClick={() => {
            save("none");
          }}
        >
          {t("limits.remove")}
        </Button>
      )}
    </form>
  );
}
