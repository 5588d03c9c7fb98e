import { accept, refuse, type Verdict } from "@fairtick/domain";
import { validateInput } from "@fairtick/protocol";
import type { FastifyRequest } from "fastify";
import { discardUpload, receiveUpload, type UploadRules } from "../http/receive-upload.ts";
import type { OperatorRoute, OperatorSession } from "./operator-route.ts";

export interface Received {
  readonly fields: Readonly<Record<string, string>>;
  /** What became of the file: the call's answer, once its transaction has said yes to the session and the fields. */
  readonly answer: Verdict<unknown>;
}

/** Takes in the file of a call. Nothing is read before `admit` has said who sends it. */
export async function receiveFile(
  { call, receive }: OperatorRoute,
  request: FastifyRequest,
  admit: () => Promise<Verdict<OperatorSession>>,
  rules: UploadRules,
): Promise<Received> {
  const refused = (answer: Verdict<never>, fields: Received["fields"] = {}) => ({ fields, answer });
  const session = await admit();
  if (!session.ok) return refused(session);
  if (!(request.headers["content-type"] ?? "").toLowerCase().startsWith("multipart/form-data"))
    return refused(refuse("FIELD_INVALID", { field: "" }));
  const form = await receiveUpload(request.raw, new Set(Object.keys(call.input.entries)), rules);
  if (!form.ok) return refused(form);
  const { fields, file } = form.value;
  try {
    const input = validateInput(call, fields);
    if (!input.ok) return refused(input, fields);
    if (file === null || receive === undefined)
      return refused(refuse("FIELD_MISSING", { field: "file" }, { file: "FIELD_MISSING" }), fields);
    const answer = await receive({ input: input.value, session: session.value, file });
    return { fields, answer: answer.ok ? accept(answer.value) : answer };
  } finally {
    await discardUpload(file);
  }
}
