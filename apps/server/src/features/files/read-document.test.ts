import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readDocument, safeFileName } from "./read-document.ts";

const folder = mkdtempSync(join(tmpdir(), "fairtick-documents-"));
afterAll(() => rmSync(folder, { recursive: true }));
function judge(content: string | Buffer) {
  const path = join(folder, "upload");
  writeFileSync(path, content);
  return readDocument(path);
}
const pdf = (inside = "") => `%PDF-1.7\n1 0 obj\n<< /Type /Catalog ${inside} >>\nendobj\ntrailer\n%%EOF\n`;

describe("a document", () => {
  it.each([
    ["a PDF", pdf(), "application/pdf"],
    ["words", "Line one\r\n\tand two: ÄÖ 漢字\n", "text/plain"],
    ["words with an arrow", "a < b and b > c", "text/plain"],
  ])("is %s, by its content", async (_, content, type) => {
    expect(await judge(content)).toEqual({ ok: true, value: type });
  });

  it.each([
    ["a PDF that runs a script", pdf("/OpenAction << /S /JavaScript /JS (app.alert(1)) >>"), "FILE_TYPE"],
    ["one whose script is spelled in numbers", pdf("/OpenAction << /S /J#61vaScript >>"), "FILE_TYPE"],
    ["a PDF that starts a program", pdf("/A << /S /Launch /F (cmd.exe) >>"), "FILE_TYPE"],
    ["a PDF that carries another file", pdf("/Names << /EmbeddedFiles 3 0 R >>"), "FILE_TYPE"],
    ["a PDF without an end", "%PDF-1.7\n1 0 obj", "FILE_BROKEN"],
    ["a PDF behind something else", `MZ\u0000${pdf()}`, "FILE_TYPE"],
    ["a page", "<!doctype html><script>alert(1)</script>", "FILE_TYPE"],
    ["a page behind words", "Hello\n<script>alert(1)</script>", "FILE_TYPE"],
    ["a picture of lines", '<svg xmlns="http://www.w3.org/2000/svg"/>', "FILE_TYPE"],
    ["an archive", Buffer.from("PK\u0003\u0004\u0014\u0000", "latin1"), "FILE_TYPE"],
    ["a program", Buffer.from("\u007fELF\u0002\u0001", "latin1"), "FILE_TYPE"],
    ["bytes that are no letters", Buffer.from([0x61, 0xff, 0xfe, 0x62]), "FILE_TYPE"],
    ["a control character far behind", `${"a".repeat(5_000)}\u001b]0;owned\u0007`, "FILE_TYPE"],
    ["nothing", "", "FILE_TYPE"],
    ["words without end", "a".repeat(1024 * 1024 + 1), "FILE_TOO_LARGE"],
    ["a PDF of eleven megabytes", `${pdf()}${" ".repeat(11 * 1024 * 1024)}%%EOF`, "FILE_TOO_LARGE"],
  ])("is not %s", async (_, content, error) => {
    expect(await judge(content)).toMatchObject({ refusal: { error } });
  });
});

it.each([
  ["statement.pdf", "application/pdf", "statement.pdf"],
  ["../../etc/passwd", "text/plain", "passwd.txt"],
  ["C:\\Users\\a\\Beleg März.PDF", "application/pdf", "Beleg März.pdf"],
  ["invoice\u202Efdp.exe", "application/pdf", "invoicefdp.exe.pdf"],
  ['a"; filename="x.html', "text/plain", "a_; filename=_x.html.txt"],
  ["<img src=x>", "text/plain", "_img src=x_.txt"],
  [" .hidden. ", "text/plain", "hidden.txt"],
  ["\u0000\u200b\n", "application/pdf", "file.pdf"],
  [undefined, "text/plain", "file.txt"],
  ["漢".repeat(200), "text/plain", `${"漢".repeat(80)}.txt`],
] as const)("calls %j, which is %s, %j", (given, type, name) => {
  expect(safeFileName(given, type)).toBe(name);
});
