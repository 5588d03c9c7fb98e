import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";

export const fileView = defineOperatorCall({
  path: "file/view",
  summary: "Returns a picture that a member submitted, as bytes. Its purpose decides which roles may see it.",
  input: v.object({ fileId: f.opaqueId }),
  output: s.bytes,
  limit: "read",
  subject: "fileId",
  file: "download",
});
