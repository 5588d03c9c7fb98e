/** A mail with one text part, as the server's own mailer writes it: headers of RFC 5322, words of RFC 2047, body of RFC 2045. */
export interface PlainMail {
  readonly subject: string;
  readonly text: string;
}

export function parsePlainMail(source: Buffer): PlainMail {
  const raw = source.toString("latin1").replaceAll("\r\n", "\n");
  const end = raw.indexOf("\n\n");
  const head = end === -1 ? raw : raw.slice(0, end);
  const body = end === -1 ? "" : raw.slice(end + 2);
  const headers = new Map(
    head
      .replaceAll(/\n[ \t]+/g, " ")
      .split("\n")
      .map(
        (line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const,
      ),
  );
  const encoding = (headers.get("content-transfer-encoding") ?? "7bit").toLowerCase();
  return {
    subject: decodeWords(headers.get("subject") ?? ""),
    text: decodeBody(body, encoding).toString("utf8").trimEnd(),
  };
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(body, "base64");
  if (encoding === "quoted-printable") return decodeQuoted(body.replaceAll(/=[ \t]*\n/g, ""));
  return Buffer.from(body, "latin1");
}

function decodeQuoted(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}

/** Decodes words such as `=?UTF-8?Q?…?=`. Adjacent words are one text, and a character may be split between them. */
function decodeWords(header: string): string {
  const joined = header.replaceAll(/\?=\s+=\?/g, "?==?");
  return joined.replaceAll(/(?:=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=)+/g, (run) => {
    const parts = Array.from(run.matchAll(/=\?[^?\s]+\?([BbQq])\?([^?\s]*)\?=/g), ([, kind = "", text = ""]) =>
      kind.toUpperCase() === "B" ? Buffer.from(text, "base64") : decodeQuoted(text.replaceAll("_", " ")),
    );
    return Buffer.concat(parts).toString("utf8");
  });
}
