import { open } from "node:fs/promises";
import { accept, refuse, type Verdict } from "@fairtick/domain";

/** What a document may be; a picture is not among them, for it is made anew. */
export type DocumentType = "application/pdf" | "text/plain";

const MEGABYTE = 1024 * 1024;
export const DOCUMENT_MEGABYTES_MAX: Readonly<Record<DocumentType, number>> = {
  "application/pdf": 10,
  "text/plain": 1,
};
const ENDINGS: Readonly<Record<DocumentType, string>> = { "application/pdf": "pdf", "text/plain": "txt" };
const NAME_MAX = 80;
/** What acts, or carries another file, when a reader opens it. A guard rail: compressed parts are not looked into. */
const ACTIVE = /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|SubmitForm|ImportData)(?![A-Za-z])/;

/**
 * Tells by its content whether an upload is a document. Refuses FILE_TYPE for whatever is neither a plain PDF nor text,
 * FILE_BROKEN for a PDF without an end, FILE_TOO_LARGE[max].
 */
export async function readDocument(path: string): Promise<Verdict<DocumentType>> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const type = size === 0 ? null : await typeOf(file);
    if (type === null) return refuse("FILE_TYPE");
    const max = DOCUMENT_MEGABYTES_MAX[type];
    if (size > max * MEGABYTE) return refuse("FILE_TOO_LARGE", { max: `${max}MB` });
    const content = Buffer.alloc(size);
    await file.read(content, 0, size, 0);
    return type === "application/pdf" ? judgePdf(content) : judgeText(content);
  } finally {
    await file.close();
  }
}

async function typeOf(file: Awaited<ReturnType<typeof open>>): Promise<DocumentType | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
  const head = buffer.subarray(0, bytesRead);
  if (/^%PDF-[12]\.[0-9]/.test(head.toString("latin1"))) return "application/pdf";
  return isPlain(head.toString("latin1")) ? "text/plain" : null;
}

/** No control characters but those that lines are made of. */
function isPlain(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text);
}

function judgePdf(content: Buffer): Verdict<DocumentType> {
  const text = content.toString("latin1");
  if (!text.slice(-1024).includes("%%EOF")) return refuse("FILE_BROKEN");
  // A name may be written with its letters as numbers: `/J#53`.
  const names = text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return ACTIVE.test(names) ? refuse("FILE_TYPE") : accept("application/pdf");
}

function judgeText(content: Buffer): Verdict<DocumentType> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return refuse("FILE_TYPE");
  }
  // A page or a picture of lines in words' clothes: a browser that is handed one runs it.
  const isMarkup = /^\s*<(?:[a-z!?])/i.test(text) || /<(?:script|html|svg|iframe)\b/i.test(text);
  return isPlain(text) && !isMarkup ? accept("text/plain") : refuse("FILE_TYPE");
}

/**
 * What a sender calls a document, as it is shown and saved: its last part alone, without what turns the direction of
 * writing or cannot be seen, and with the ending of what it truly is.
 */
export function safeFileName(given: string | undefined, type: DocumentType): string {
  const last = (given ?? "").normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const visible = last
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[<>:"|?*]/g, "_")
    .replaceAll(/\s+/g, " ")
    .replace(/\.(?:pdf|txt)$/i, "")
    .replaceAll(/^[. ]+|[. ]+$/g, "");
  const stem = Array.from(visible).slice(0, NAME_MAX).join("").trimEnd();
  return `${stem === "" ? "file" : stem}.${ENDINGS[type]}`;
}

/** The ending of what is kept, for a download's name. */
export const endingOf = (media: string): string =>
  media === "application/pdf" || media === "text/plain" ? ENDINGS[media] : "jpg";
