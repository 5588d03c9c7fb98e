import { type CallResult, createOperatorClient } from "@fairtick/client";
import type { OperatorCall, Output, Sent } from "@fairtick/protocol/operator";

/** What a call did not do, in the server's words. */
export class CallFailure extends Error {
  readonly status: number;
  readonly error: string | null;
  readonly fields: Readonly<Record<string, string>>;
  /** Figures of the refusal: of a CONFLICT, who decided last (`by`, `at`, `action`). */
  readonly params: Readonly<Record<string, string | number>>;
  constructor(
    status: number,
    message: string,
    error: string | null,
    fields: Readonly<Record<string, string>>,
    params: Readonly<Record<string, string | number>> = {},
  ) {
    super(message);
    this.status = status;
    this.error = error;
    this.fields = fields;
    this.params = params;
  }
}

const client = createOperatorClient({ baseUrl: "" });

/** Makes a call. Throws `CallFailure`, also where no answer came: then nobody knows whether it was done. */
export async function callOperator<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<Output<C>> {
  return valueOf(await client.call(call, sent));
}

/** Makes a call that brings a file. */
export async function sendFile<C extends OperatorCall>(
  call: C,
  fields: Readonly<Record<string, string>>,
  file: File,
): Promise<Output<C>> {
  return valueOf(await client.upload(call, fields, file));
}

function valueOf<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  const { code, msg, error, fields, params } = result.failure;
  const said = code === 0 ? "No readable answer came. Look at the list before you try again." : spoken(msg ?? "");
  throw new CallFailure(code, said, error, fields, params);
}

/** Fetches bytes. What is said where there are none is the same, whatever the reason. */
async function bytesOf<C extends OperatorCall>(call: C, sent: Sent<C>, said: string): Promise<Blob> {
  const result = await client.download(call, sent);
  if (result.ok) return result.value;
  throw new CallFailure(result.failure.code, said, null, {});
}

/** A sentence that begins with a field's own name begins with a word: `legalAge isn’t valid` → `Legal age isn’t valid`. */
export function spoken(sentence: string): string {
  const [name = ""] = /^[a-z][A-Za-z.]*(?= (?:is|isn’t|was) )/.exec(sentence) ?? [];
  const last = name.split(".").at(-1) ?? "";
  const words = last.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${sentence.slice(name.length)}`;
}

/** Fetches a picture. Each look is a row of the audit trail. */
export function readPicture<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<Blob> {
  return bytesOf(call, sent, "The picture could not be shown.");
}

/** Fetches a file and hands it to the browser to keep. */
export async function saveFile<C extends OperatorCall>(call: C, sent: Sent<C>, name: string): Promise<void> {
  const file = await bytesOf(call, sent, "The file could not be made.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
