import { birthDateFault, type DocumentType } from "@fairtick/domain";
import type { MessageId } from "@fairtick/i18n";
import type { Problem } from "../../shared/use-form.ts";

export interface BasicForm {
  readonly familyName: string;
  readonly givenName: string;
  readonly gender: "male" | "female" | null;
  /** `YYYY-MM-DD`, or empty. */
  readonly birthDate: string;
}

const TEXT_MAX = 64;

function lengthProblems<Name extends string>(field: Name, text: string): Problem<Name>[] {
  const over = text.length - TEXT_MAX;
  return over > 0 ? [{ field, message: "fields.tooLong", values: { max: TEXT_MAX, over } }] : [];
}

/** Checks name, gender and birth date. `today` is the date at the member's location. */
export function basicProblems(form: BasicForm, today: string, legalAge: number): Problem<keyof BasicForm>[] {
  const problems: Problem<keyof BasicForm>[] = [];
  for (const field of ["familyName", "givenName"] as const) {
    if (form[field].trim() === "") problems.push({ field, message: `fields.enter.${field}` });
    else problems.push(...lengthProblems(field, form[field]));
  }
  if (form.gender === null) problems.push({ field: "gender", message: "fields.enter.gender" });
  const fault = form.birthDate === "" ? "FIELD_INVALID" : birthDateFault(form.birthDate, today, legalAge);
  if (fault === "FIELD_INVALID") problems.push({ field: "birthDate", message: "fields.enter.birthDate" });
  if (fault === "UNDER_AGE") {
    problems.push({ field: "birthDate", message: "errors.UNDER_AGE", values: { min: legalAge } });
  }
  return problems;
}

export interface DocumentForm {
  readonly documentType: DocumentType;
  readonly documentNumber: string;
  readonly frontFileId: string | null;
  readonly backFileId: string | null;
  /** Whether the photo is still uploading; the form can't be sent until then. */
  readonly frontIsOnItsWay: boolean;
  readonly backIsOnItsWay: boolean;
}

interface PhotoWords {
  readonly label: MessageId;
  readonly missing: MessageId;
}

/** Returns the photos needed: both sides of a card, or a passport's photo page and the member holding it. */
export function photosOf(documentType: DocumentType): Readonly<Record<"frontFileId" | "backFileId", PhotoWords>> {
  return documentType === "passport"
    ? {
        frontFileId: { label: "identity.photo.page", missing: "fields.enter.photoPage" },
        backFileId: { label: "identity.photo.holding", missing: "fields.enter.photoHolding" },
      }
    : {
        frontFileId: { label: "identity.photo.front", missing: "fields.enter.frontFileId" },
        backFileId: { label: "identity.photo.back", missing: "fields.enter.backFileId" },
      };
}

export function documentProblems(form: DocumentForm): Problem<keyof DocumentForm>[] {
  const photos = photosOf(form.documentType);
  const problems: Problem<keyof DocumentForm>[] = [];
  if (form.documentNumber.trim() === "") {
    problems.push({ field: "documentNumber", message: "fields.enter.documentNumber" });
  }
  problems.push(...lengthProblems("documentNumber", form.documentNumber));
  const photo = (field: keyof typeof photos, isOnItsWay: boolean) => {
    if (form[field] !== null) return;
    problems.push({ field, message: isOnItsWay ? "identity.photo.onItsWay" : photos[field].missing });
  };
  photo("frontFileId", form.frontIsOnItsWay);
  photo("backFileId", form.backIsOnItsWay);
  return problems;
}
