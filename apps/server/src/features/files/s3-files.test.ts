import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createIdSource, type MemberId } from "@fairtick/domain";
import { createBuilder, type Builder } from "@fairtick/testkit";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "../../platform/config.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { findFile, type FileStore, openFileStore } from "./index.ts";
import { openS3 } from "./s3-files.ts";
import { FilesOutOfReach } from "./sealed-files.ts";
import { startTestBucket, type TestBucket } from "./test-bucket.ts";

let bucket: TestBucket;
/** An address that nobody listens on any more. */
let nobody = "";
beforeAll(async () => {
  bucket = await startTestBucket();
  const gone = await startTestBucket();
  nobody = gone.settings.url;
  gone.close();
});
afterAll(() => bucket.close());
beforeEach(() => {
  bucket.requests.length = 0;
});
afterEach(() => {
  bucket.fail = undefined;
});

describe("the start", () => {
  it("tries every request that is needed, signed, and leaves nothing behind", async () => {
    await openS3(bucket.settings);
    expect(bucket.requests.map(({ method }) => method)).toEqual(["PUT", "GET", "GET", "DELETE"]);
    expect(bucket.names()).toEqual([]);
  });

  it.each<[string, () => Parameters<typeof openS3>[0], RegExp]>([
    [
      "a wrong secret",
      () => ({ ...bucket.settings, secretKey: "another-secret" }),
      /refuses the key \(403, SignatureDoesNotMatch\)/,
    ],
    [
      "an unknown key",
      () => ({ ...bucket.settings, accessKey: "NOBODY" }),
      /refuses the key \(403, InvalidAccessKeyId\)/,
    ],
    [
      "no such bucket",
      () => ({ ...bucket.settings, url: bucket.settings.url.replace(/[^/]+$/, "no-such") }),
      /no bucket at .*Make it/,
    ],
    ["nobody there", () => ({ ...bucket.settings, url: nobody }), /nobody usable answers at .*ECONNREFUSED.*Start it/],
  ])("is refused with advice: %s", async (_what, settings, sentence) => {
    const refused = openS3(settings());
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toThrow("Leave S3_URL out");
    await expect(refused).rejects.toBeInstanceOf(ConfigError);
    await expect(refused).rejects.not.toThrow(/another-secret|S3RVER/);
  });

  it("is refused if the key may write but not remove", async () => {
    bucket.fail = ({ method }) => (method === "DELETE" ? 403 : undefined);
    await expect(openS3(bucket.settings)).rejects.toThrow(/refuses the key \(403/);
    for (const name of bucket.names()) rmSync(bucket.pathOf(name));
  });

  it("requires the key together with the address", () => {
    const env = { DATABASE_URL: "postgresql://x/y", S3_URL: bucket.settings.url };
    expect(() => readConfig(env)).toThrow("S3_ACCESS_KEY and S3_SECRET_KEY");
    const { s3 } = readConfig({ ...env, S3_ACCESS_KEY: "a", S3_SECRET_KEY: "b" });
    expect(s3).toEqual({ url: bucket.settings.url, region: "auto", accessKey: "a", secretKey: "b" });
  });
});

describe("a large file", () => {
  const path = join(tmpdir(), `fairtick-s3-large-${process.pid}`);
  const content = randomBytes(20 * 1024 * 1024 + 5);
  beforeAll(() => writeFileSync(path, content));
  afterAll(() => rmSync(path, { force: true }));

  it("is sent in parts of at most eight megabytes and comes back unchanged", async () => {
    const files = await openS3(bucket.settings);
    bucket.requests.length = 0;
    await files.keep("fil_large", path);
    const parts = bucket.requests.filter(({ query }) => query.includes("partNumber"));
    expect(parts.map(({ bytes }) => bytes)).toEqual([8_388_608, 8_388_608, 4_194_309]);
    const back = await buffer(files.read("fil_large"));
    expect(back.equals(content)).toBe(true);
    await files.remove("fil_large");
    await files.remove("fil_large");
    expect(bucket.names()).toEqual([]);
  });

  it("survives a service that fails now and then, and is given up if the service fails for good", async () => {
    const files = await openS3(bucket.settings);
    let failures = 0;
    bucket.fail = ({ url: asked }) => {
      if (!asked?.includes("partNumber=2") || failures >= 2) return undefined;
      failures += 1;
      return 503;
    };
    await files.keep("fil_again", path);
    expect(failures).toBe(2);
    expect(statSync(bucket.pathOf("fil_again")).size).toBe(content.length);
    await files.remove("fil_again");

    bucket.fail = ({ url: asked }) => (asked?.includes("partNumber=2") ? 503 : undefined);
    bucket.requests.length = 0;
    await expect(files.keep("fil_never", path)).rejects.toBeInstanceOf(FilesOutOfReach);
    expect(bucket.requests.at(-1)).toMatchObject({ method: "DELETE", query: expect.stringContaining("uploadId") });
    expect(bucket.names()).toEqual([]);
  });
});

it("lists the files since a given moment, page by page", async () => {
  const files = await openS3(bucket.settings);
  const path = join(tmpdir(), `fairtick-s3-small-${process.pid}`);
  writeFileSync(path, "x");
  const names = ["fil_1", "fil_2", "fil_3", "fil_4", "fil_5", "fil_6", "fil_7", "fil_8"];
  for (const name of names) await files.keep(name, path);
  const seen: string[] = [];
  for await (const name of files.names("fil_1")) seen.push(name);
  expect(seen).toEqual(names.slice(1));
  for (const name of names) await files.remove(name);
  rmSync(path);
});

describe("members' files in a bucket", () => {
  let context: TestContext;
  let build: Builder;
  let files: FileStore;
  let member: MemberId;
  let picture = "";

  beforeAll(async () => {
    context = await createTestContext({ s3: bucket.settings });
    build = await createBuilder(context.database.url);
    member = (await build.createMember()) as MemberId;
    files = await openFileStore(context, createIdSource({ node: 9, clock: context.clock }));
    picture = join(context.config.dataDir, "upload");
    await sharp({ create: { width: 90, height: 50, channels: 3, background: "#a05020" } })
      .jpeg()
      .toFile(picture);
  });
  afterAll(async () => {
    await build.end();
    await context.close();
  });
  const store = () => files.store(member, "receipt", { path: picture }, context.clock.now());
  const keep = async () => {
    const kept = await store();
    if (!kept.ok) throw new Error(kept.refusal.error);
    return kept.value.fileId;
  };

  it("are sent encrypted under generated names, and only the key stays on the disk", async () => {
    const fileId = await keep();
    const sealed = readFileSync(bucket.pathOf(fileId));
    expect(sealed.subarray(0, 4).toString()).toBe("FTF1");
    expect(sealed.includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false);
    expect(readdirSync(join(context.config.dataDir, "files")).sort()).toEqual(["arriving", "key"]);
    expect(readdirSync(join(context.config.dataDir, "files", "arriving"))).toEqual([]);
    const file = (await findFile(context.databases.reader, fileId))!;
    expect(await sharp(await buffer(files.open(file))).metadata()).toMatchObject({ format: "jpeg", width: 90 });
  });

  it("have the same bytes as in a folder, so that copied files can be read", async () => {
    const inFolder = await openFileStore(
      { ...context, config: { ...context.config, s3: null } },
      createIdSource({ node: 8, clock: context.clock }),
    );
    const kept = await inFolder.store(member, "receipt", { path: picture }, context.clock.now());
    const { fileId } = (kept as { value: { fileId: string } }).value;
    const path = join(context.config.dataDir, "files", fileId);
    await (await openS3(bucket.settings)).keep(fileId, path);
    rmSync(path);
    const file = (await findFile(context.databases.reader, fileId))!;
    expect((await buffer(files.open(file))).length).toBe(file.bytes);
  });

  it("are not read if the bucket's owner changed a byte or returns another member's file", async () => {
    const [one, other] = [await keep(), await keep()];
    const file = (await findFile(context.databases.reader, one))!;
    const place = bucket.pathOf(one);
    const whole = readFileSync(place);
    const changed = Buffer.from(whole);
    changed[40]! ^= 1;
    for (const content of [changed, whole.subarray(0, -17), readFileSync(bucket.pathOf(other))]) {
      writeFileSync(place, content);
      await expect(buffer(files.open(file))).rejects.toThrow("unable to authenticate");
    }
    writeFileSync(place, whole.subarray(0, 10));
    await expect(buffer(files.open(file))).rejects.toThrow("is not a stored file");
    rmSync(place);
    await expect(buffer(files.open(file))).rejects.toThrow("the bucket has no file");
  });

  it("are refused with a request to try again while the bucket takes nothing, and leave nothing behind", async () => {
    const before = bucket.names();
    bucket.fail = ({ method }) => (method === "PUT" ? 403 : undefined);
    expect(await store()).toMatchObject({ ok: false, refusal: { error: "NOT_NOW" } });
    expect(bucket.names()).toEqual(before);
    expect(readdirSync(join(context.config.dataDir, "files", "arriving"))).toEqual([]);
  });

  it("are removed after two days if nothing claims them, even if the bucket didn't answer at first", async () => {
    const [loose, kept] = [await keep(), await keep()];
    const { fileId } = (await findFile(context.databases.reader, kept))!;
    await build.client.query("SELECT claim_file($1, $2, 'receipt', 'dep_1')", [fileId, member]);
    context.clock.advance(49 * 3_600_000);
    bucket.fail = ({ method }) => (method === "DELETE" ? 403 : undefined);
    await expect(files.sweep(context.clock.now())).rejects.toBeInstanceOf(FilesOutOfReach);
    bucket.fail = undefined;
    context.clock.advance(3_600_000);
    expect(await files.sweep(context.clock.now())).toBeGreaterThan(0);
    expect(existsSync(bucket.pathOf(loose))).toBe(false);
    expect(existsSync(bucket.pathOf(kept))).toBe(true);
  });
});
