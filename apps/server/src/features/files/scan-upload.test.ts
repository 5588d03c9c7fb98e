import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource, type IdSource, type MemberId } from "@fairtick/domain";
import { createBuilder, type Builder } from "@fairtick/testkit";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { type FileStore, openFileStore } from "./index.ts";
import { openScanner } from "./scan-upload.ts";
import { type Clamd, EICAR, hasClamd, startClamd, startProtocolPeer } from "./test-clamd.ts";

const folder = mkdtempSync(join(tmpdir(), "fairtick-scan-"));
let context: TestContext;
let build: Builder;
let memberId: MemberId;
let ids: IdSource;
beforeAll(async () => {
  context = await createTestContext();
  ids = createIdSource({ node: 9, clock: context.clock });
  build = await createBuilder(context.database.url);
  memberId = (await build.createMember()) as MemberId;
});
afterAll(async () => {
  await build.end();
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const open = (path: string): Promise<FileStore> => {
  const config = { ...context.config, scanner: { address: { path }, exception: null } };
  return openFileStore({ ...context, config }, ids);
};
const store = (files: FileStore, path: string, name = "a.txt") =>
  files.store(memberId, "support", { path, name }, context.clock.now());
const kept = () => readdirSync(join(context.config.dataDir, "files")).filter((name) => name.startsWith("fil_"));

const rows = async () => (await build.client.query("SELECT 1 FROM files")).rows.length;

const PEERS: [string, (folder: string) => Promise<Clamd>][] = [["a peer that speaks its protocol", startProtocolPeer]];
// If Debian's clamav-daemon is installed, the tests run with it too.
if (hasClamd) PEERS.push(["clamd itself", startClamd]);

describe.each(PEERS)("with %s", (_name, start) => {
  let clamd: Clamd;
  let files: FileStore;
  beforeAll(async () => {
    clamd = await start(mkdtempSync(join(folder, "clamd-")));
    files = await open(clamd.path);
  });
  afterAll(() => clamd.stop());

  it("refuses a document with a virus and keeps nothing of it", async () => {
    const before = kept();
    expect(await store(files, put("eicar.txt", EICAR))).toMatchObject({
      refusal: { error: "FILE_INFECTED", fields: { file: "FILE_INFECTED" } },
    });
    expect(kept()).toEqual(before);
    expect(readdirSync(join(context.config.dataDir, "files", "arriving"))).toEqual([]);
    expect(await rows()).toBe(before.length);
  });

  it("keeps clean documents and pictures, including a large one", async () => {
    const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#a05020" } })
      .jpeg()
      .toBuffer();
    const long = put("long.jpg", Buffer.concat([photo, Buffer.alloc(3_000_000)]));
    for (const path of [put("clean.txt", "Good day"), put("photo.jpg", photo), long])
      expect(await store(files, path)).toMatchObject({ ok: true });
    const sizes = [8, photo.length, photo.length + 3_000_000];
    expect(clamd.seen?.slice(-3) ?? sizes).toEqual(sizes);
  });

  it("scans many uploads at once", async () => {
    const scan = openScanner({ path: clamd.path }, context.log);
    const [clean, infected] = [put("one.txt", "Good day"), put("two.txt", `${"x".repeat(100)}${EICAR}`)];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, each) => scan(each % 2 === 0 ? clean : infected)));
    // Both scanners find the signature anywhere in a file.
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map((_, each) => each % 2 === 0));
  });
});

describe("without a verdict", () => {
  it.each([
    ["an error", { says: "stream: Can't allocate memory ERROR" }],
    ["nothing", { says: "" }],
    ["a sentence that is no verdict", { says: "stream: OKAY" }],
    ["that it is too long", { bytesMax: 4 }],
  ])("keeps nothing if the scanner says %s", async (_what, says) => {
    const peer = await startProtocolPeer(mkdtempSync(join(folder, "peer-")), says);
    const files = await open(peer.path);
    const before = kept();
    expect(await store(files, put("clean.txt", "Good day"))).toMatchObject({ refusal: { error: "NOT_NOW" } });
    expect(kept()).toEqual(before);
    await peer.stop();
  });

  it("keeps nothing if no scanner answers", async () => {
    const files = await open(join(folder, "nobody.sock"));
    const before = kept();
    expect(await store(files, put("clean.txt", "Good day"))).toMatchObject({ refusal: { error: "NOT_NOW" } });
    expect(kept()).toEqual(before);
  });
});
