import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";

export const fileView = defineOperatorCall({
  path: "file/view",
  summary: "A picture that a member handed in, as bytes. Which roles may see it follows from its purpose.",
  input: v.object({ fileId: f.opaqueId }),
  output: s.bytes,
  limit: "read",
  subject: "fileId",
  file: "download",
});
