import { describe, expect, it } from "vitest";
import { type BasicForm, basicProblems, type DocumentForm, documentProblems } from "./identity-form.ts";

const PERSON: BasicForm = { familyName: "Silva", givenName: "Ana", gender: "female", birthDate: "2000-01-31" };
const CARD: DocumentForm = {
  documentType: "idCard",
  documentNumber: "A123456",
  frontFileId: "fil_1",
  backFileId: "fil_2",
  frontIsOnItsWay: false,
  backIsOnItsWay: false,
};
const basic = (change: Partial<BasicForm>) =>
  basicProblems({ ...PERSON, ...change }, "2026-11-21", 18).map(({ message }) => message);
const document = (change: Partial<DocumentForm>) =>
  documentProblems({ ...CARD, ...change }).map(({ message }) => message);

describe("name and birth date", () => {
  it.each<[Partial<BasicForm>, string[]]>([
    [{}, []],
    [{ familyName: " " }, ["fields.enter.familyName"]],
    [{ givenName: "" }, ["fields.enter.givenName"]],
    [{ gender: null }, ["fields.enter.gender"]],
    [{ birthDate: "" }, ["fields.enter.birthDate"]],
    [{ birthDate: "2026-11-22" }, ["fields.enter.birthDate"]],
    [{ birthDate: "2008-11-21" }, []],
    [{ birthDate: "2008-11-22" }, ["errors.UNDER_AGE"]],
  ])("%j: %j", (change, messages) => {
    expect(basic(change)).toEqual(messages);
  });
});

describe("a document", () => {
  it.each<[Partial<DocumentForm>, string[]]>([
    [{}, []],
    [{ documentNumber: "" }, ["fields.enter.documentNumber"]],
    [{ frontFileId: null, backFileId: null }, ["fields.enter.frontFileId", "fields.enter.backFileId"]],
    [
      { documentType: "passport", frontFileId: null, backFileId: null },
      ["fields.enter.photoPage", "fields.enter.photoHolding"],
    ],
    [{ frontFileId: null, frontIsOnItsWay: true }, ["identity.photo.onItsWay"]],
    [
      { frontFileId: null, backFileId: null, backIsOnItsWay: true },
      ["fields.enter.frontFileId", "identity.photo.onItsWay"],
    ],
    [{ documentType: "passport", backFileId: null, backIsOnItsWay: true }, ["identity.photo.onItsWay"]],
    [{ documentType: "driversLicense", backFileId: null }, ["fields.enter.backFileId"]],
  ])("%j: %j", (change, messages) => {
    expect(document(change)).toEqual(messages);
  });
});
