import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/**
 * A written text in the caller's language. The body's lines are headings (`## …`), items (`- …`) and paragraphs, which
 * may contain `**strong**` words; there is no other markup. `date` is the first day on which this version applies,
 * `YYYY-MM-DD`.
 */
const written = v.object({ title: s.text, body: s.text, version: s.text, date: s.text });

export const contentAgreement = defineCall({
  path: "content/agreement",
  access: "public",
  summary: "Returns the user agreement.",
  input: v.object({}),
  output: written,
  idempotent: true,
  limit: "read",
});

export const contentPrivacy = defineCall({
  path: "content/privacy",
  access: "public",
  summary: "Returns the privacy policy.",
  input: v.object({}),
  output: written,
  idempotent: true,
  limit: "read",
});

export const helpList = defineCall({
  path: "help/list",
  access: "public",
  summary: "Lists the questions that the help center answers.",
  input: v.object({}),
  // `words` is the answer without its markup, so that a search needs no further call.
  output: v.array(v.object({ helpId: s.text, topic: s.text, title: s.text, words: s.text })),
  idempotent: true,
  limit: "read",
});

export const helpDetail = defineCall({
  path: "help/detail",
  access: "public",
  summary: "Returns one answer.",
  input: v.object({ helpId: f.opaqueId }),
  output: written,
  idempotent: true,
  limit: "read",
});
