import * as v from "valibot";
import { defineCall } from "../call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** A written text in the caller's language. */
const written = v.object({ title: s.text, body: s.text, version: s.text });

export const contentAgreement = defineCall({
  path: "content/agreement",
  access: "public",
  summary: "The user agreement.",
  input: v.object({}),
  output: written,
  built: false,
  idempotent: true,
  limit: "read",
});

export const contentPrivacy = defineCall({
  path: "content/privacy",
  access: "public",
  summary: "The privacy policy.",
  input: v.object({}),
  output: written,
  built: false,
  idempotent: true,
  limit: "read",
});

export const helpList = defineCall({
  path: "help/list",
  access: "public",
  summary: "Questions that the help center answers.",
  input: v.object({}),
  output: v.array(v.object({ helpId: s.text, topic: s.text, title: s.text })),
  built: false,
  idempotent: true,
  limit: "read",
});

export const helpDetail = defineCall({
  path: "help/detail",
  access: "public",
  summary: "One answer.",
  input: v.object({ helpId: f.opaqueId }),
  output: written,
  built: false,
  idempotent: true,
  limit: "read",
});
