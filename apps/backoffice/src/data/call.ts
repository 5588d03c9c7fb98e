import { type CallResult, createOperatorClient } from "@fairtick/client";
import type { OperatorCall, Output, Sent } from "@fairtick/protocol/operator";

/** A call that was refused or got no answer, with the message to show. */
export class CallFailure extends Error {
  readonly status: number;
  readonly error: string | null;
  readonly fields: Readonly<Record<string, string>>;
  /** Details of the refusal. For CONFLICT: who decided first (`by`, `at`, `action`). */
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

/** Makes a call. Throws `CallFailure` when it is refused, and when no answer came: it may still have been carried out. */
export async function callOperator<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<Output<C>> {
  return valueOf(await client.call(call, sent));
}

/** Makes a call with a file attached. Throws like `callOperator`. */
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
  const said = code === 0 ? "We got no answer. Check the list before you try again." : spoken(msg ?? "");
  throw new CallFailure(code, said, error, fields, params);
}

/** Fetches bytes. Throws `CallFailure` with the message `said`, whatever the reason. */
async function bytesOf<C extends OperatorCall>(call: C, sent: Sent<C>, said: string): Promise<Blob> {
  const result = await client.download(call, sent);
  if (result.ok) return result.value;
  throw new CallFailure(result.failure.code, said, null, {});
}

/** Spells out a field name at the start of a message: `legalAge isn’t valid` → `Legal age isn’t valid`. */
export function spoken(sentence: string): string {
  const [name = ""] = /^[a-z][A-Za-z.]*(?= (?:is|isn’t|was) )/.exec(sentence) ?? [];
  const last = name.split(".").at(-1) ?? "";
  const words = last.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${sentence.slice(name.length)}`;
}

/** Fetches a picture. Each fetch is recorded in the audit trail. */
export function readPicture<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<Blob> {
  return bytesOf(call, sent, "We couldn’t load the picture.");
}

/** Fetches a file and has the browser save it under `name`. */
export async function saveFile<C extends OperatorCall>(call: C, sent: Sent<C>, name: string): Promise<void> {
  const file = await bytesOf(call, sent, "We couldn’t load the file.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
