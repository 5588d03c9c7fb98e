import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { CALLS, fileUpload, type MemberCall } from "@fairtick/protocol";
import { createIdSource, type MemberId, refuse } from "@fairtick/domain";
import { createBuilder, type Builder } from "@fairtick/testkit";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpServer, route } from "../../platform/http/index.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { claimFile, fileRoutes, type FileStore, findFile, openFileStore } from "./index.ts";

const BYTES_MAX = 5 * 1024 * 1024;

let context: TestContext;
let build: Builder;
let files: FileStore;
let app: FastifyInstance;
let base = "";
let [mine, theirs] = [0n, 0n] as MemberId[];
const now = () => context.clock.now();
const folder = () => join(context.config.dataDir, "files");
const stored = () => readdirSync(folder()).filter((name) => name.startsWith("fil_"));

beforeAll(async () => {
  context = await createTestContext({ rateLimitFactor: 1000 });
  build = await createBuilder(context.database.url);
  [mine, theirs] = (await build.createMembers(2)) as MemberId[];
  files = await openFileStore(context, createIdSource({ node: 9, clock: context.clock }));
  const built = fileRoutes(context, files);
  const others = CALLS.filter(({ path }) => !path.startsWith("file/"));
  app = createHttpServer({
    context,
    routes: [...built, ...others.map((call) => route<MemberCall>(call, () => refuse("NOT_NOW")))],
    authenticate: (token) => ({ sessionId: 1n, memberId: token === "mine" ? mine! : theirs! }),
    health: () => ({ ready: true, accepting: true, degraded: [] }),
    uploadBytesMax: BYTES_MAX,
    timeoutMs: 1_000,
  });
  base = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await build.end();
  await context.close();
});

const headOf = (length: number, token = "mine") =>
  `POST /client/file/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nexchange2508Token: ${token}\r\n` +
  `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
const FORM_START =
  '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nreceipt\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';

const png = (colour = "#336699", width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 4, background: colour } }).png();

async function upload(
  content: Buffer | Uint8Array<ArrayBuffer> | string,
  token = "mine",
  name = "a.png",
  purpose = "receipt",
) {
  const form = new FormData();
  form.set("purpose", purpose);
  form.set("name", name);
  form.set("file", new File([content], name, { type: "image/png" }));
  const response = await fetch(`${base}/client/${fileUpload.path}`, {
    method: "POST",
    body: form,
    headers: { exchange2508Token: token },
  });
  return (await response.json()) as { code: number; data: { fileId: string; error: string; params: object } };
}

async function get(fileId: string, token = "mine") {
  return fetch(`${base}/client/file/get`, {
    method: "POST",
    body: new URLSearchParams({ fileId }),
    headers: { exchange2508Token: token },
  });
}

describe("an upload", () => {
  it("is re-encoded without metadata, and only its owner can see it", async () => {
    const camera = await sharp({ create: { width: 90, height: 50, channels: 3, background: "#a05020" } })
      .jpeg()
      .withExif({ IFD0: { Copyright: "SECRET-PLACE" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" } })
      .toBuffer();
    expect(camera.includes("SECRET-PLACE")).toBe(true);
    const { code, data } = await upload(camera);
    expect(code).toBe(200);
    const answer = await get(data.fileId);
    expect(answer.headers.get("content-type")).toBe("image/jpeg");
    const seen = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(seen).metadata()).toMatchObject({ format: "jpeg", width: 90, height: 50 });
    expect((await sharp(seen).metadata()).exif).toBeUndefined();
    expect((await get(data.fileId, "theirs")).status).toBe(404);
    expect((await get("fil_0000000000000")).status).toBe(404);
  });

  it("is stored encrypted under a generated name, and nothing else is left on the disk", async () => {
    const before = new Set(stored());
    const { data } = await upload(await png("#112233").toBuffer(), "mine", "../../../etc/passwd.png");
    const added = stored().filter((name) => !before.has(name));
    expect(added).toEqual([data.fileId]);
    const raw = readFileSync(join(folder(), data.fileId));
    expect(raw.subarray(0, 4).toString()).toBe("FTF1");
    expect(raw.includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false);
    expect(readdirSync(join(folder(), "arriving"))).toEqual([]);
  });

  it("has the same digest for the same pixels, whatever metadata surrounds them", async () => {
    const pixels = png("#445566");
    const plain = await upload(await pixels.clone().toBuffer());
    const marked = await upload(
      await pixels
        .clone()
        .withExif({ IFD0: { Copyright: "another" } })
        .toBuffer(),
    );
    const { rows } = await build.client.query("SELECT digest FROM files ORDER BY file_id DESC LIMIT 2");
    expect(plain.data.fileId).not.toBe(marked.data.fileId);
    expect(rows[0].digest.equals(rows[1].digest)).toBe(true);
  });

  it("can also be a phone's WebP or GIF", async () => {
    expect((await upload(await png().webp().toBuffer())).code).toBe(200);
    expect((await upload(await png().gif().toBuffer())).code).toBe(200);
  });
});

describe("a document", () => {
  const pdf = "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n";

  it.each([
    ["application/pdf", pdf, "\u202Estatement.exe.pdf", "statement.exe.pdf", "pdf"],
    ["text/plain", "Line one\nand two", "../notes", "notes.txt", "txt"],
  ])(
    "of the chat, %s, is stored encrypted and only served as a download",
    async (type, content, given, name, ending) => {
      const { code, data } = await upload(content, "mine", given, "support");
      expect(code).toBe(200);
      const raw = readFileSync(join(folder(), data.fileId));
      expect(raw.subarray(0, 4).toString()).toBe("FTF1");
      expect(raw.includes("Line one") || raw.includes("Catalog")).toBe(false);
      const answer = await get(data.fileId);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${data.fileId}.${ending}"`);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(await answer.text()).toBe(content);
      expect((await get(data.fileId, "theirs")).status).toBe(404);
      const { rows } = await build.client.query("SELECT media, name, width FROM files ORDER BY file_id DESC LIMIT 1");
      expect(rows).toEqual([{ media: type, name, width: null }]);
    },
  );

  it("is accepted for the chat and for nothing else", async () => {
    for (const purpose of ["receipt", "identity"])
      expect(await upload(pdf, "mine", "a.pdf", purpose)).toMatchObject({ code: 422, data: { error: "FILE_TYPE" } });
  });
});

describe("a hostile file", () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  it.each([
    ["a script in a picture of lines", script, "FILE_TYPE"],
    ["a page", "<!doctype html><script>alert(1)</script>", "FILE_TYPE"],
    ["a document", "%PDF-1.7\n1 0 obj\n<<>>\n%%EOF", "FILE_TYPE"],
    ["an archive", Buffer.from("PK\x03\x04"), "FILE_TYPE"],
    ["a program", Buffer.from("\x7fELF"), "FILE_TYPE"],
    ["nothing", "", "FILE_TYPE"],
    [
      "a picture's first bytes and noise",
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(5_000)]),
      "FILE_BROKEN",
    ],
    ["a page behind a picture's signature", `\x89PNG\r\n\x1a\n${script}`, "FILE_BROKEN"],
  ])("is refused: %s", async (_what, content, error) => {
    const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
    expect(await upload(bytes)).toMatchObject({ code: 422, data: { error } });
  });

  it("is refused if a small file decodes to gigabytes", async () => {
    const bomb = await sharp({
      create: { width: 20_000, height: 20_000, channels: 3, background: "#000000" },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(BYTES_MAX);
    expect(await upload(bomb)).toMatchObject({ code: 422, data: { error: "FILE_BROKEN" } });
  });

  it("is refused if the picture was cut off", async () => {
    const whole = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      .jpeg()
      .toBuffer();
    expect(await upload(whole.subarray(0, whole.length / 2))).toMatchObject({ data: { error: "FILE_BROKEN" } });
  });

  it("loses any data that follows its pixels", async () => {
    const { code, data } = await upload(
      Buffer.concat([await png().jpeg().toBuffer(), Buffer.from("<script>evil()</script>PK\x03\x04")]),
    );
    expect(code).toBe(200);
    expect(Buffer.from(await (await get(data.fileId)).arrayBuffer()).includes("evil")).toBe(false);
  });

  it.each([
    ["a script in a picture of lines", script, "FILE_TYPE"],
    ["a page", "<!doctype html><script>alert(1)</script>", "FILE_TYPE"],
    ["a PDF that runs a script", "%PDF-1.7\n<< /S /JavaScript /JS (x) >>\n%%EOF", "FILE_TYPE"],
    ["an archive", "PK\x03\x04", "FILE_TYPE"],
    ["a program", "\x7fELF", "FILE_TYPE"],
  ])("is refused in the chat too: %s", async (_what, content, error) => {
    expect(await upload(content, "mine", "statement.pdf", "support")).toMatchObject({ code: 422, data: { error } });
    expect(readdirSync(join(folder(), "arriving"))).toEqual([]);
  });

  it.each(["fake.png", "Photo.JPEG", "receipt.heic "])(
    "is refused if it is text with a picture's name: %s",
    async (name) => {
      const refused = { code: 422, data: { error: "FILE_BROKEN" } };
      expect(await upload("just words", "mine", name, "support")).toMatchObject(refused);
      // Without the name field, the multipart part's own file name counts.
      const form = new FormData();
      form.set("purpose", "support");
      form.set("file", new File(["just words"], name));
      const headers = { exchange2508Token: "mine" };
      const answer = await fetch(`${base}/client/${fileUpload.path}`, { method: "POST", body: form, headers });
      expect(await answer.json()).toMatchObject(refused);
      expect(await upload("just words", "mine", "fake.png.txt", "support")).toMatchObject({ code: 200 });
    },
  );

  // large-uploads.test.ts tests this at full size and with twenty at once.
  it("is refused if it is too large", async () => {
    expect(await upload(new Uint8Array(BYTES_MAX + 1))).toMatchObject({
      code: 413,
      data: { error: "FILE_TOO_LARGE", params: { max: "5MB" } },
    });
  });
});

describe("a body", () => {
  const speak = (said: string) =>
    new Promise<string>((resolve) => {
      let heard = "";
      const socket = connect(Number(new URL(base).port), "127.0.0.1", () => socket.write(said));
      socket.on("data", (part) => {
        heard += part.toString();
        socket.end();
      });
      socket.on("close", () => resolve(heard));
    });

  it("that stalls ends as NOT_NOW and leaves nothing behind", async () => {
    expect(await speak(headOf(5_000) + FORM_START)).toContain('"NOT_NOW"');
    expect(readdirSync(join(folder(), "arriving"))).toEqual([]);
  });

  it("that is shorter than its form says is refused as broken", async () => {
    expect(await speak(`${headOf(FORM_START.length + 3)}${FORM_START}abc`)).toContain('"FILE_BROKEN"');
    expect(readdirSync(join(folder(), "arriving"))).toEqual([]);
  });

  it("that declares too many bytes is refused before they arrive", async () => {
    expect(await speak(headOf(1_000_000_000))).toContain('"FILE_TOO_LARGE"');
  });

  it("must have each field exactly once, and a known purpose", async () => {
    const form = new FormData();
    for (const name of ["purpose", "file", "file"])
      form.append(name, name === "purpose" ? "receipt" : new File(["x"], "x"));
    const twice = await fetch(`${base}/client/file/upload`, {
      method: "POST",
      body: form,
      headers: { exchange2508Token: "mine" },
    });
    expect(await twice.json()).toMatchObject({ code: 400, data: { error: "FIELD_REPEATED" } });
    form.delete("file");
    form.set("purpose", "other");
    const other = await fetch(`${base}/client/file/upload`, {
      method: "POST",
      body: form,
      headers: { exchange2508Token: "mine" },
    });
    expect(await other.json()).toMatchObject({ code: 400, data: { error: "FIELD_INVALID" } });
  });
});

describe("a stored file", () => {
  const keep = async (colour: string) => (await upload(await png(colour).toBuffer())).data.fileId;

  it("stays attached to a single thing", async () => {
    const fileId = await keep("#000001");
    const claim = (member: MemberId, purpose: "receipt" | "identity", subject: string) =>
      claimFile(context.databases.money, member, fileId, purpose, subject);
    expect(await claim(theirs!, "receipt", "dep_1")).toBe(false);
    expect(await claim(mine!, "identity", "dep_1")).toBe(false);
    expect(await claim(mine!, "receipt", "dep_1")).toBe(true);
    expect(await claim(mine!, "receipt", "dep_1")).toBe(true);
    expect(await claim(mine!, "receipt", "dep_2")).toBe(false);
    expect(await findFile(context.databases.reader, fileId)).toMatchObject({ claimedBy: "dep_1", memberId: mine });
  });

  it("is not read if a byte was changed or an end cut off", async () => {
    const fileId = await keep("#000002");
    const path = join(folder(), fileId);
    const whole = readFileSync(path);
    const file = (await findFile(context.databases.reader, fileId))!;
    const before = createHash("sha256")
      .update(await buffer(files.open(file)))
      .digest("hex");
    expect(before).toHaveLength(64);
    const changed = Buffer.from(whole);
    changed[40]! ^= 1;
    writeFileSync(path, changed);
    await expect(buffer(files.open(file))).rejects.toThrow("unable to authenticate");
    writeFileSync(path, whole.subarray(0, -17));
    await expect(buffer(files.open(file))).rejects.toThrow("unable to authenticate");
    writeFileSync(path, whole);
    const other = (await findFile(context.databases.reader, await keep("#000003")))!;
    writeFileSync(join(folder(), await keep("#000004")), whole);
    await expect(buffer(files.open({ ...other, fileId: other.fileId + 1n }))).rejects.toThrow("unable to authenticate");
  });

  it("is removed after two days if nothing claims it, and leftovers of a crash are removed", async () => {
    const [loose, kept] = [await keep("#000005"), await keep("#000006")];
    await claimFile(context.databases.money, mine!, kept, "receipt", "dep_9");
    const left = join(folder(), "arriving", "left-behind");
    writeFileSync(left, "x");
    utimesSync(left, new Date(0), new Date(0));
    context.clock.advance(49 * 3_600_000);
    expect(await files.sweep(now())).toBeGreaterThan(0);
    expect(stored()).toContain(kept);
    expect(stored()).not.toContain(loose);
    expect(readdirSync(join(folder(), "arriving"))).toEqual([]);
    await expect(build.client.query("DELETE FROM files WHERE claimed_by IS NOT NULL")).rejects.toThrow("belongs to");
    rmSync(left, { force: true });
  });

  it("counts toward a limit of a hundred a day", async () => {
    await build.client.query(
      `INSERT INTO files (file_id, member_id, purpose, bytes, width, height, digest, made_at)
       SELECT n, $1, 'support', 1, 1, 1, sha256('x'), $2 FROM generate_series(1, 100) AS n`,
      [mine, now()],
    );
    expect(await upload(await png().toBuffer())).toMatchObject({ code: 429, data: { error: "RATE_LIMITED" } });
    expect((await upload(await png().toBuffer(), "theirs")).code).toBe(200);
  });
});
