import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

export const availableLanguage = v.object({
  code: f.language,
  /** Value of the `Lang` header. */
  lang: s.text,
  /** Name in English. */
  name: s.text,
  /** Name in the language itself. */
  nativeName: s.text,
});

export const findAvailableLang = defineCall({
  path: "multiLang/findAvailableLang",
  access: "public",
  summary: "Lists the languages of app, messages and mails.",
  input: v.object({}),
  output: v.array(availableLanguage),
  idempotent: true,
  limit: "read",
});

export const appConfig = defineCall({
  path: "app/config",
  access: "public",
  summary: "Returns what the app has to know about this deployment.",
  input: v.object({}),
  output: v.object({
    version: s.text,
    versionCode: s.count,
    deployment: v.picklist(["sandbox", "live"]),
    /** Whether the house makes the prices of any product itself instead of reading them from outside. */
    pricesSimulated: v.boolean(),
    currency: v.literal("USD"),
    uploadLimitBytes: s.count,
    minAge: s.count,
    toastMs: s.count,
    /** The deployment's public figures; empty until they have been counted. */
    figures: v.record(v.string(), v.unknown()),
    serverTime: s.time,
  }),
  idempotent: true,
  limit: "read",
});

export const regionList = defineCall({
  path: "region/list",
  access: "public",
  summary: "Lists regions with their policy and legal age.",
  input: v.object({}),
  output: v.array(
    v.object({
      iso2: s.text,
      dialCode: s.text,
      currency: s.text,
      policy: v.picklist(["full", "practice", "blocked"]),
      policyReason: v.optional(s.text),
      legalAge: s.count,
    }),
  ),
  idempotent: true,
  limit: "read",
});
