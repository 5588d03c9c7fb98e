import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

export const fileUpload = defineCall({
  path: "file/upload",
  access: "member",
  summary:
    "Uploads a picture as multipart/form-data with `purpose` and `file`. For the chat it may also be a PDF or plain text, with its `name`.",
  input: v.object({ purpose: v.picklist(["receipt", "identity", "support"]), name: v.optional(f.fileName) }),
  output: v.object({ fileId: s.text }),
  file: "upload",
  idempotent: false,
  limit: "heavy",
});

export const fileGet = defineCall({
  path: "file/get",
  access: "member",
  summary: "Returns one of the member's own files as bytes.",
  input: v.object({ fileId: f.opaqueId }),
  output: s.bytes,
  file: "download",
  idempotent: true,
  limit: "read",
});
