import type { Attack, Outcome } from "./attack.ts";
import { newTrader, type UploadedFile } from "./member.ts";
import { field, picture } from "./owned-objects.ts";
import { pngOf } from "./png.ts";
import { type Answer, errorOf } from "./request.ts";
import type { World } from "./world.ts";

/** Files that aren't what they claim, contain script, or expand hugely when opened. */
export const hostileFiles: Attack = { name: "hostile files", run };

const SCRIPT = "<script>alert(1)</script>";

interface Hostile {
  readonly what: string;
  readonly purpose: "receipt" | "support" | "identity";
  readonly file: UploadedFile;
  /** The expected refusal. */
  readonly error: string;
}

async function run(world: World): Promise<Outcome> {
  const member = await newTrader(world.url, world.freshAddress());
  const faults: string[] = [];
  const files = hostile();
  for (const { what, purpose, file, error } of files) {
    const answer = await member.upload(purpose, file);
    if (errorOf(answer) !== error) faults.push(`${what}: ${answer.status} ${answer.text.slice(0, 200)}, not ${error}`);
  }
  // A picture that is also a page, with a path as its name: it is accepted, and only its pixels are served.
  const { bytes } = picture(120);
  const polyglot = {
    name: "../../etc/passwd.html",
    type: "text/html",
    bytes: Buffer.concat([bytes, Buffer.from(SCRIPT)]),
  };
  const fileId = field(await member.upload("receipt", polyglot), "fileId");
  faults.push(...judgeFile("a picture with a page behind it", await member.call("file/get", { fileId })));
  const health = await world.caller.send("/health/ready", { method: "GET" });
  if (health.status !== 200) faults.push(`the product is not ready afterwards: ${health.status}`);
  return { tried: `${files.length + 1} files`, faults };
}

/** Expects a served file to be a download of its own kind, without anything that was hidden in it. */
export function judgeFile(what: string, { status, headers, text }: Answer): string[] {
  const faults: string[] = [];
  if (status !== 200) faults.push(`${what} is not given back: ${status}`);
  if (!/^image\/(?:jpeg|png|webp)/.test(headers["content-type"] ?? ""))
    faults.push(`${what} comes back as ${headers["content-type"]}`);
  if (!(headers["content-disposition"] ?? "").startsWith("attachment")) faults.push(`${what} opens in the browser`);
  if (headers["x-content-type-options"] !== "nosniff") faults.push(`${what} may be taken for another type`);
  if (text.includes("<script>")) faults.push(`${what} still holds its script`);
  if (/etc|passwd/.test(headers["content-disposition"] ?? "")) faults.push(`${what} keeps its sender's path`);
  return faults;
}

function hostile(): Hostile[] {
  return [...pagesAndDrawings(), ...programs(), ...brokenPictures()];
}

function named(name: string, type: string, bytes: Buffer | string): UploadedFile {
  return { name, type, bytes: Buffer.from(bytes) };
}

function pagesAndDrawings(): Hostile[] {
  const page = `<!doctype html><html>${SCRIPT}</html>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`;
  return [
    { what: "a page as a picture", purpose: "receipt", file: named("a.png", "image/png", page), error: "FILE_TYPE" },
    {
      what: "a drawing with script",
      purpose: "receipt",
      file: named("a.svg", "image/svg+xml", drawing),
      error: "FILE_TYPE",
    },
    {
      what: "a drawing in the chat",
      purpose: "support",
      file: named("a.txt", "text/plain", drawing),
      error: "FILE_TYPE",
    },
    {
      what: "a page in the chat",
      purpose: "support",
      file: named("a.txt", "text/plain", `\ufeff ${page}`),
      error: "FILE_TYPE",
    },
  ];
}

function programs(): Hostile[] {
  const active = `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF`;
  const hidden = active.replace("/JavaScript/JS", "/Java#53cript/J#53");
  return [
    {
      what: "a program",
      purpose: "support",
      file: named("a.pdf", "application/pdf", "\u007fELF\u0002\u0001\u0001\u0000"),
      error: "FILE_TYPE",
    },
    {
      what: "an archive",
      purpose: "identity",
      file: named("a.jpg", "image/jpeg", "PK\u0003\u0004zip"),
      error: "FILE_TYPE",
    },
    {
      what: "a document with script",
      purpose: "support",
      file: named("a.pdf", "application/pdf", active),
      error: "FILE_TYPE",
    },
    {
      what: "a document with hidden script",
      purpose: "support",
      file: named("a.pdf", "application/pdf", hidden),
      error: "FILE_TYPE",
    },
  ];
}

function brokenPictures(): Hostile[] {
  return [
    {
      what: "a picture of 40,000 × 40,000 in a few bytes",
      purpose: "receipt",
      file: named("a.png", "image/png", bomb()),
      error: "FILE_BROKEN",
    },
    {
      what: "half a picture",
      purpose: "receipt",
      file: named("a.png", "image/png", bomb().subarray(0, 20)),
      error: "FILE_BROKEN",
    },
    { what: "nothing", purpose: "receipt", file: named("a.png", "image/png", ""), error: "FILE_TYPE" },
  ];
}

/** Returns a PNG whose header promises 1.6 billion pixels and whose data ends after a few. */
function bomb(): Buffer {
  return pngOf({ width: 40_000, height: 40_000, rows: Buffer.alloc(1_000_000) });
}
