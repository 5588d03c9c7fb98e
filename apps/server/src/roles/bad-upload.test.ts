import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { translate } from "@fairtick/i18n/server";
import { type Builder, createBuilder, createTestDatabase, type TestDatabase, waitUntil } from "@fairtick/testkit";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runServer, type RunningServer } from "../testing/running-server.ts";

let folder: string;
let database: TestDatabase;
let server: RunningServer;
let builder: Builder;
let token = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "uploads-"));
  database = await createTestDatabase();
  server = await runServer(database, { DATA_DIR: folder, RATE_LIMIT_FACTOR: "1000" });
  builder = await createBuilder(database.url);
  const [seed] = server.accounts;
  const login = await fetch(`${server.base}/client/auth/login`, {
    method: "POST",
    body: new URLSearchParams({ account: seed?.account ?? "", password: seed?.password ?? "" }),
  });
  token = ((await login.json()) as { data: { access_token: string } }).data.access_token;
});
afterAll(async () => {
  await builder.end();
  await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const FORM = "multipart/form-data; boundary=b";
const part = (name: string, value: string, fileName?: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? "" : `; filename="${fileName}"`}\r\n\r\n${value}\r\n`;
const PURPOSE = part("purpose", "receipt");
const FILE = part("file", "what stands in it", "a.png");
const END = "--b--\r\n";

interface Failure {
  readonly status: number;
  readonly msg: string;
  readonly data: { readonly error: string; readonly fields?: Readonly<Record<string, string>> };
}

/**
 * Sends exactly these bytes with the given length. Returns the whole answer, without waiting for bytes that never come.
 */
function speak(body: string, type: string | null, length = Buffer.byteLength(body)): Promise<Failure> {
  const head =
    `POST /client/file/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nLang: fr_FR\r\nexchange2508Token: ${token}\r\n` +
    `${type === null ? "" : `Content-Type: ${type}\r\n`}Content-Length: ${length}\r\n\r\n`;
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(new URL(server.base).port), "127.0.0.1", () => socket.write(head + body));
    // What follows the message is invalid, so the server may close the socket. Only the answer until then counts.
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      heard += bytes.toString();
    });
    socket.on("close", () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0);
      const envelope = /\{.*\}/s.exec(heard)?.[0] ?? "{}";
      resolve({ status, ...(JSON.parse(envelope) as Omit<Failure, "status">) });
    });
  });
}

const arriving = () => {
  const files = readdirSync(join(folder, "files"), { withFileTypes: true });
  return files.some(({ name }) => name === "arriving") ? readdirSync(join(folder, "files", "arriving")) : [];
};
const kept = () => readdirSync(join(folder, "files")).filter((name) => name.startsWith("fil_"));
const rows = async () => (await builder.client.query<{ count: string }>("SELECT count(*) FROM files")).rows[0]?.count;

describe("a malformed upload to the whole server", () => {
  it.each([
    ["no purpose", FORM, FILE + END, 400, "FIELD_MISSING", "purpose"],
    ["an unknown purpose", FORM, part("purpose", "portrait") + FILE + END, 400, "FIELD_INVALID", "purpose"],
    ["a purpose twice", FORM, PURPOSE + PURPOSE + FILE + END, 400, "FIELD_REPEATED", "purpose"],
    ["no file", FORM, PURPOSE + END, 400, "FIELD_MISSING", "file"],
    ["two files", FORM, PURPOSE + FILE + FILE + END, 400, "FIELD_REPEATED", "file"],
    ["five files", FORM, PURPOSE + FILE.repeat(5) + END, 400, "FIELD_REPEATED", "file"],
    ["a file by another name", FORM, `${PURPOSE}${part("picture", "x", "a.png")}${END}`, 400, "FIELD_MISSING", "file"],
    ["text instead of a file", FORM, PURPOSE + part("file", "x") + END, 400, "FIELD_MISSING", "file"],
    ["a form of text", "application/x-www-form-urlencoded", "purpose=receipt", 400, "FIELD_MISSING", "file"],
    ["JSON", "application/json", '{"purpose":"receipt","file":"x"}', 400, "FIELD_MISSING", "file"],
    ["the file alone", "image/png", "x", 400, "FIELD_MISSING", "file"],
    ["an incomplete media type", "multipart", PURPOSE + FILE + END, 400, "FIELD_MISSING", "file"],
    ["no media type", null, PURPOSE + FILE + END, 400, "FIELD_MISSING", "file"],
    ["no boundary", "multipart/form-data", PURPOSE + FILE + END, 400, "FIELD_INVALID", "file"],
    ["another boundary", "multipart/form-data; boundary=c", PURPOSE + FILE + END, 422, "FILE_BROKEN", "file"],
    ["no end", FORM, PURPOSE + FILE, 422, "FILE_BROKEN", "file"],
    ["a break within the file", FORM, (PURPOSE + FILE).slice(0, -12), 422, "FILE_BROKEN", "file"],
    ["a break within a part's head", FORM, (PURPOSE + FILE).slice(0, PURPOSE.length + 20), 422, "FILE_BROKEN", "file"],
  ] as const)("with %s names the field in the caller's language", async (_what, type, body, status, error, field) => {
    const [before, keptBefore] = [await rows(), kept()];
    const answer = await speak(body, type);
    expect(answer).toMatchObject({ status, data: { error } });
    const words = translate("fr", `errors.${error}`, { field: translate("fr", `fields.${field}`) });
    expect(words).not.toBe(translate("en", `errors.${error}`, { field: translate("en", `fields.${field}`) }));
    expect(answer.data.fields).toEqual({ [field]: words });
    expect(answer.msg).toBe(words);
    expect([await rows(), kept(), arriving()]).toEqual([before, keptBefore, []]);
  });

  it("is refused if its length is shorter than its form or longer than any file may be", async () => {
    const whole = PURPOSE + FILE + END;
    const short = await speak(whole, FORM, Buffer.byteLength(whole) - END.length - 5);
    expect([400, 422]).toContain(short.status);
    const long = await speak(PURPOSE, FORM, 1_000_000_000);
    expect(long).toMatchObject({ status: 413, data: { error: "FILE_TOO_LARGE", params: { max: "100MB" } } });
    expect(long.msg).toBe(translate("fr", "errors.FILE_TOO_LARGE", { max: "100MB" }));
    for (const length of [-1, Number.NaN]) expect((await speak(whole, FORM, length)).status).toBe(400);
    await waitUntil("nothing is left", () => arriving().length === 0);
  });

  it("leaves nothing behind if its sender goes away, and the next one is accepted", async () => {
    await new Promise<void>((resolve) => {
      const head = `POST /client/file/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nexchange2508Token: ${token}\r\nContent-Type: ${FORM}\r\nContent-Length: 90000\r\n\r\n`;
      const socket = connect(Number(new URL(server.base).port), "127.0.0.1", () =>
        socket.write(head + PURPOSE + FILE.slice(0, -9), () => {
          void waitUntil("it arrives", () => arriving().length > 0).then(() => socket.destroy());
        }),
      );
      socket.on("close", () => resolve());
    });
    await waitUntil("it is gone", () => arriving().length === 0);
    const form = new FormData();
    form.set("purpose", "receipt");
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#336699" } })
      .png()
      .toBuffer();
    form.set("file", new File([new Uint8Array(picture)], "a.png"));
    const taken = await fetch(`${server.base}/client/file/upload`, {
      method: "POST",
      body: form,
      headers: { exchange2508Token: token },
    });
    expect(taken.status).toBe(200);
    expect(arriving()).toEqual([]);
  });
});
