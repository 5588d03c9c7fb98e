import { StepBar } from "../../components/StepBar.tsx";
import { dayIn, type Instant, latestBirthDate } from "@fairtick/domain";
import { Button, Field, Segments } from "@fairtick/ui";
import { useId, type FormEvent } from "react";
import { type Identity, ownTimeZone, submitBasic } from "../../data/identity.ts";
import { createFormShelf, useKeptForm } from "../../data/kept-form.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../shared/i18n.ts";
import { useIsHere } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { serverClock } from "../../shared/server-clock.ts";
import { type BasicForm, basicProblems } from "./identity-form.ts";

const typed = createFormShelf<BasicForm>((values) => values);

/** Name, gender and birth date. */
export function BasicStep({ identity, onDone }: { readonly identity: Identity; readonly onDone: () => void }) {
  const t = useText();
  const action = useAction();
  const isHere = useIsHere();
  const formId = useId();
  const { person, legalAge } = identity;
  const { values, set, wrong, setWrong, passes } = useKeptForm(typed, {
    familyName: person?.familyName ?? "",
    givenName: person?.givenName ?? "",
    gender: person?.gender ?? null,
    birthDate: person?.birthDate ?? "",
  });
  const today = dayIn(ownTimeZone(), BigInt(Math.trunc(serverClock.now())) as Instant) ?? "";

  function submit(event: FormEvent) {
    event.preventDefault();
    const { gender } = values;
    if (!passes(basicProblems(values, today, legalAge)) || gender === null) return;
    void action
      .run(() => submitBasic({ ...values, gender }), setWrong)
      .then((done) => {
        if (done && isHere()) onDone();
      });
  }

  return (
    <Screen
      title={t("identity.title")}
      pushed
      backTo="/pages/auth/index"
      noWallet
      foot={
        <Button look="main" type="submit" form={formId} disabled={action.busy}>
          {t("identity.continue")}
        </Button>
      }
    >
      <div className="identity-steps">
        <StepBar step={1} count={2} />
      </div>
      <h2 className="heading identity-heading">{t("identity.basicTitle")}</h2>
      <form className="form" id={formId} noValidate onSubmit={submit}>
        <Field
          label={t("fields.familyName")}
          hint={t("identity.nameNote")}
          autoComplete="family-name"
          value={values.familyName}
          wrong={wrong.familyName}
          onChange={(event) => {
            set("familyName", event.currentTarget.value);
          }}
        />
        <Field
          label={t("fields.givenName")}
          autoComplete="given-name"
          value={values.givenName}
          wrong={wrong.givenName}
          onChange={(event) => {
            set("givenName", event.currentTarget.value);
          }}
        />
        <GenderField value={values.gender} wrong={wrong.gender} onChange={(gender) => set("gender", gender)} />
        <Field
          label={t("fields.birthDate")}
          hint={t("identity.ageNote", { age: legalAge })}
          type="date"
          autoComplete="bday"
          max={latestBirthDate(today, legalAge)}
          value={values.birthDate}
          wrong={wrong.birthDate}
          onChange={(event) => {
            set("birthDate", event.currentTarget.value);
          }}
        />
      </form>
    </Screen>
  );
}

function GenderField({
  value,
  wrong,
  onChange,
}: {
  readonly value: BasicForm["gender"];
  readonly wrong: string | undefined;
  readonly onChange: (gender: BasicForm["gender"]) => void;
}) {
  const t = useText();
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {t("fields.gender")}
      </span>
      <Segments
        label={t("fields.gender")}
        look="roomy"
        value={value}
        choices={[
          { value: "male", label: t("identity.male") },
          { value: "female", label: t("identity.female") },
        ]}
        onChange={onChange}
      />
      {wrong !== undefined && <p className="hint alert">{wrong}</p>}
    </div>
  );
}
