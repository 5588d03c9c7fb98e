import { StepBar } from "../../components/StepBar.tsx";
import { DOCUMENT_TYPES, type DocumentType } from "@fairtick/domain";
import { Button, Field, IconCheck, IconLock, Segments, showToast } from "@fairtick/ui";
import { useId, type FormEvent } from "react";
import { UploadField } from "../../components/upload/UploadField.tsx";
import { type Identity, submitDocuments } from "../../data/identity.ts";
import { createFormShelf, useKeptForm } from "../../data/kept-form.ts";
import { useAction } from "../../data/use-action.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link, navigate, useIsHere } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import type { FormState } from "../../shared/use-form.ts";
import { type DocumentForm, documentProblems, photosOf } from "./identity-form.ts";

type Person = NonNullable<Identity["person"]>;

const NO_PHOTOS = { frontFileId: null, backFileId: null, frontIsOnItsWay: false, backIsOnItsWay: false };

const typed = createFormShelf<DocumentForm>((values) => ({ ...values, ...NO_PHOTOS }));

/** The document's type and number, and two photos of it. */
export function DocumentStep({ person }: { readonly person: Person }) {
  const t = useText();
  const action = useAction();
  const isHere = useIsHere();
  const formId = useId();
  const form = useKeptForm(typed, { documentType: "idCard", documentNumber: "", ...NO_PHOTOS });
  const { values, setWrong, passes } = form;

  function submit(event: FormEvent) {
    event.preventDefault();
    const { documentType, documentNumber, frontFileId, backFileId } = values;
    if (!passes(documentProblems(values)) || frontFileId === null || backFileId === null) return;
    void action
      .run(
        () => submitDocuments({ documentType, documentNumber, frontFileId, backFileId }),
        setWrong,
        "identity.timedOut",
      )
      .then((done) => {
        if (!done) return;
        showToast(t("common.operationSuccessful"));
        if (isHere()) navigate({ to: "/pages/auth/index", replace: true });
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
          {t("identity.send")}
        </Button>
      }
    >
      <div className="identity-steps">
        <StepBar step={2} count={2} />
      </div>
      <PersonRow person={person} />
      <h2 className="heading identity-heading">{t("identity.documentTitle")}</h2>
      <form className="form" id={formId} noValidate onSubmit={submit}>
        <DocumentFields {...form} />
        <p className="note soft identity-lock">
          <IconLock size="tiny" />
          <span>{t("identity.encrypted")}</span>
        </p>
      </form>
    </Screen>
  );
}

function DocumentFields({ values, set, wrong }: FormState<DocumentForm>) {
  const t = useText();
  const { documentType } = values;
  const photos = photosOf(documentType);
  const isPassport = documentType === "passport";

  function choose(next: DocumentType) {
    // A card's side isn't a passport page, so the photos must be taken again.
    if ((next === "passport") !== isPassport) {
      set("frontFileId", null);
      set("backFileId", null);
      set("frontIsOnItsWay", false);
      set("backIsOnItsWay", false);
    }
    set("documentType", next);
  }

  return (
    <>
      <Segments
        label={t("fields.documentType")}
        value={documentType}
        choices={DOCUMENT_TYPES.map((value) => ({ value, label: t(`identity.${value}`) }))}
        onChange={choose}
      />
      <Field
        label={t("fields.documentNumber")}
        hint={t("identity.nameNote")}
        className="figure"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={values.documentNumber}
        wrong={wrong.documentNumber}
        onChange={(event) => {
          set("documentNumber", event.currentTarget.value);
        }}
      />
      {(["frontFileId", "backFileId"] as const).map((side) => (
        <UploadField
          key={`${side}-${String(isPassport)}`}
          label={t(photos[side].label)}
          purpose="identity"
          wrong={wrong[side]}
          onFile={(fileId, isOnItsWay) => {
            set(side, fileId);
            set(side === "frontFileId" ? "frontIsOnItsWay" : "backIsOnItsWay", isOnItsWay);
          }}
        />
      ))}
    </>
  );
}

/** The person's details as submitted, with a link to change them. */
function PersonRow({ person }: { readonly person: Person }) {
  const t = useText();
  return (
    <Link className="row bare" to="/pages/auth/Auth" search={{ step: "basic" }} replace>
      <IconCheck size="small" className="accent" />
      <span className="grow">
        <span className="block">
          {person.familyName} {person.givenName}
        </span>
        <span className="note soft block">{t("identity.received", { at: formatDateTime(person.submittedAt) })}</span>
      </span>
      <span className="label accent">{t("identity.change")}</span>
    </Link>
  );
}
