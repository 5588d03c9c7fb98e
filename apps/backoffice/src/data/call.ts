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

interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

const TIMEOUT_MS = 60_000;

/** A form goes as the browser writes it, everything else as JSON. */
function post(path: string, body: unknown): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(`/operator/${path}`, {
    method: "POST",
    // The header is what no form or link of another site can send.
    headers: { "x-fairtick-console": "1", ...(!isForm && { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Makes a call. Throws `CallFailure`, also where no answer came: then nobody knows whether it was done. */
export function callOperator<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<Output<C>> {
  return exchange<C>(call.path, sent);
}

/** Makes a call that brings a file. */
export function sendFile<C extends OperatorCall>(
  call: C,
  fields: Readonly<Record<string, string>>,
  file: File,
): Promise<Output<C>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", file);
  return exchange<C>(call.path, form);
}

async function exchange<C extends OperatorCall>(path: string, body: unknown): Promise<Output<C>> {
  let envelope: Envelope;
  let status = 0;
  try {
    const response = await post(path, body);
    ({ status } = response);
    envelope = (await response.json()) as Envelope;
  } catch {
    throw new CallFailure(status, "No readable answer came. Look at the list before you try again.", null, {});
  }
  if (envelope.code === 200) return envelope.data;
  const failure = (envelope.data ?? {}) as Partial<Pick<CallFailure, "error" | "fields" | "params">>;
  throw new CallFailure(
    envelope.code,
    spoken(envelope.msg),
    failure.error ?? null,
    failure.fields ?? {},
    failure.params ?? {},
  );
}

/** A sentence that begins with a field's own name begins with a word: `legalAge is not valid` → `Legal age is not valid`. */
export function spoken(sentence: string): string {
  const [name = ""] = /^[a-z][A-Za-z.]*(?= (?:is|was) )/.exec(sentence) ?? [];
  const last = name.split(".").at(-1) ?? "";
  const words = last.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${sentence.slice(name.length)}`;
}

/** Fetches a picture. Each look is a row of the audit trail. */
export async function readPicture<C extends OperatorCall>(call: C, sent: Sent<C>): Promise<Blob> {
  const response = await post(call.path, sent).catch(() => null);
  if (response?.ok) return response.blob();
  throw new CallFailure(response?.status ?? 0, "The picture could not be shown.", null, {});
}

/** Fetches a file and hands it to the browser to keep. */
export async function saveFile<C extends OperatorCall>(call: C, sent: Sent<C>, name: string): Promise<void> {
  const response = await post(call.path, sent);
  if (!response.ok) throw new CallFailure(response.status, "The file could not be made.", null, {});
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
