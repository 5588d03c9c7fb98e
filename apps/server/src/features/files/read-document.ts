import { open } from "node:fs/promises";
import { accept, refuse, type Verdict } from "@fairtick/domain";

/** Accepted document types. Pictures are not documents: they are re-encoded. */
export type DocumentType = "application/pdf" | "text/plain";

const MEGABYTE = 1024 * 1024;
export const DOCUMENT_MEGABYTES_MAX: Readonly<Record<DocumentType, number>> = {
  "application/pdf": 10,
  "text/plain": 1,
};
const ENDINGS: Readonly<Record<DocumentType, string>> = { "application/pdf": "pdf", "text/plain": "txt" };
const NAME_MAX = 80;
/** PDF features that run something or carry another file. Only a guard rail: compressed parts aren't searched. */
const ACTIVE = /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|SubmitForm|ImportData)(?![A-Za-z])/;

/**
 * Checks by its content whether an upload is a document, and returns its type. Refuses FILE_TYPE if it is neither a plain PDF
 * nor text, FILE_BROKEN for a PDF without an end, and FILE_TOO_LARGE[max].
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

/** Returns whether a text has no control characters other than line breaks, form feeds and tabs. */
function isPlain(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- this searches for control characters
  return !/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text);
}

function judgePdf(content: Buffer): Verdict<DocumentType> {
  const text = content.toString("latin1");
  if (!text.slice(-1024).includes("%%EOF")) return refuse("FILE_BROKEN");
  // PDF allows letters of a name to be written as hexadecimal codes: `/J#53` is `/JS`.
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
  // HTML and SVG are text too, but a browser that opens them runs their scripts.
  const isMarkup = /^\s*<(?:[a-z!?])/i.test(text) || /<(?:script|html|svg|iframe)\b/i.test(text);
  return isPlain(text) && !isMarkup ? accept("text/plain") : refuse("FILE_TYPE");
}

/**
 * Returns a document's name as it is shown and saved: the last part of the given path, without invisible characters and
 * those that change the writing direction, and with the extension of its true type.
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

/** Returns the extension of a stored file for the name of its download. */
export const endingOf = (media: string): string =>
  media === "application/pdf" || media === "text/plain" ? ENDINGS[media] : "jpg";
