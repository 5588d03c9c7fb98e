import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { createBuilder, createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";

/** The limit that members see as 100 MB, in bytes. */
const LIMIT = 100 * 1024 * 1024;
const AT_ONCE = 20;
/** How much memory the uploads may take. Twenty whole files would need 2,000 MB. */
const GROWTH_MB_MAX = 150;

let database: TestDatabase;
let dataDir = "";
let server: ChildProcess;
let port = 0;
const arriving = () => readdirSync(join(dataDir, "files", "arriving"));

beforeAll(async () => {
  database = await createTestDatabase();
  const build = await createBuilder(database.url);
  const memberId = await build.createMember();
  await build.end();
  dataDir = mkdtempSync(join(tmpdir(), "fairtick-large-"));
  const program = resolve(import.meta.dirname, "test-upload-server.ts");
  server = fork(program, [database.url, dataDir, String(memberId)]);
  const [address] = (await once(server, "message")) as [string];
  port = Number(new URL(address).port);
});
afterAll(async () => {
  const gone = once(server, "exit");
  server.disconnect();
  await gone;
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const HEAD =
  "POST /client/file/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nexchange2508Token: mine\r\nContent-Type: multipart/form-data; boundary=b\r\n";
const START =
  '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nreceipt\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
const END = "\r\n--b--\r\n";
const NOTHING = Buffer.alloc(256 * 1024);

async function write(socket: Socket, data: Buffer | string): Promise<void> {
  if (!socket.write(data)) await once(socket, "drain");
}

/** Uploads `bytes` bytes: `head`, then zeros. Returns as much of the answer as could be read. */
async function send(bytes: number, options: { head?: Buffer; declared?: number; chunked?: boolean } = {}) {
  const { head = Buffer.alloc(0), chunked = false } = options;
  const socket = connect(port, "127.0.0.1");
  // A server that hangs up because of a false length makes our write fail. That is expected.
  const heard = text(socket).catch(() => "");
  const over = once(socket, "close").catch(() => undefined);
  const length = options.declared ?? START.length + bytes + END.length;
  const put = (data: Buffer | string) =>
    write(
      socket,
      chunked
        ? Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), Buffer.from(data), Buffer.from("\r\n")])
        : data,
    );
  const sending = (async () => {
    await write(socket, `${HEAD}${chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`}\r\n\r\n`);
    await put(START);
    if (head.length > 0) await put(head);
    for (let left = bytes - head.length; left > 0; left -= NOTHING.length) {
      await put(left < NOTHING.length ? NOTHING.subarray(0, left) : NOTHING);
    }
    await put(END);
    if (chunked) await write(socket, "0\r\n\r\n");
  })().catch(() => undefined);
  await Promise.race([sending, over]);
  const answer = await heard;
  socket.destroy();
  const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
  const [, error = ""] = /"error":"([A-Z_]+)"/.exec(answer) ?? [];
  const [, max = ""] = /"max":"(\w+)"/.exec(answer) ?? [];
  return [status, error, max].filter((part) => part !== "").join(" ");
}

/** Returns the memory of the server and its picture-decoding processes in megabytes, counting shared pages once. */
function memory(pid = server.pid): number {
  const read = (path: string) => {
    try {
      return readFileSync(`/proc/${pid}/${path}`, "utf8");
    } catch {
      // The process has ended since it was listed.
      return "";
    }
  };
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(read("smaps_rollup"))?.[1] ?? 0) / 1024;
  const children = read(`task/${pid}/children`).split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + memory(Number(child)), own);
}

// Two gigabytes take about ten seconds of processor time, both sides together.
it("a hundred megabytes to the byte are taken and one more refused, twenty at once, in bounded memory", async () => {
  const camera = await sharp({ create: { width: 800, height: 600, channels: 3, background: "#a05020" } })
    .jpeg()
    .toBuffer();
  expect(await send(camera.length, { head: camera })).toBe("200");
  const before = memory();
  let [onDisk, peak] = [0, before];
  const watch = setInterval(() => {
    for (const name of arriving()) {
      const { size = 0 } = statSync(join(dataDir, "files", "arriving", name), { throwIfNoEntry: false }) ?? {};
      onDisk = Math.max(onDisk, size);
    }
  }, 50);
  const kinds = [
    { expected: "200", sent: () => send(LIMIT, { head: camera }) },
    { expected: "422 FILE_TYPE", sent: () => send(LIMIT) },
    { expected: "413 FILE_TOO_LARGE 100MB", sent: () => send(LIMIT + 1, { head: camera }) },
    { expected: "413 FILE_TOO_LARGE 100MB", sent: () => send(LIMIT + 1, { head: camera, chunked: true }) },
    { expected: "422 FILE_TYPE", sent: () => send(LIMIT, { chunked: true }) },
  ];
  const wave = Array.from({ length: AT_ONCE }, (_, each) => kinds[each % kinds.length]!);
  const weigh = setInterval(() => {
    peak = Math.max(peak, memory());
  }, 200);
  const began = Date.now();
  const answers = await Promise.all(wave.map(({ sent }) => sent()));
  clearInterval(watch);
  clearInterval(weigh);
  const grown = Math.round(peak - before);
  process.stdout.write(
    `${AT_ONCE} uploads of 100 MB at once: ${((Date.now() - began) / 1_000).toFixed(1)} s, ${grown} MB more memory\n`,
  );
  expect(answers).toEqual(wave.map(({ expected }) => expected));
  expect(grown).toBeLessThan(GROWTH_MB_MAX);
  // No file ever grew beyond the limit, and none is left.
  expect(onDisk).toBeLessThanOrEqual(LIMIT);
  expect(onDisk).toBeGreaterThan(LIMIT / 2);
  expect(arriving()).toEqual([]);
}, 240_000);

it("refuses a body whose declared length is false, too small or too large", async () => {
  // Declares less than it sends: the form ends in the middle, and the rest is not a valid request.
  expect(await send(3_000, { declared: 1_000 })).toMatch(/^4(?:00|22 FILE_BROKEN)$/);
  // Declares more than is allowed but sends next to nothing: refused before any of it arrives.
  expect(await send(10, { declared: LIMIT * 2 })).toBe("413 FILE_TOO_LARGE 100MB");
  // Declares both a length and chunks, which two servers in a row could read differently.
  const socket = connect(port, "127.0.0.1");
  socket.write(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400/);
  expect(arriving()).toEqual([]);
  expect(await send(10)).toBe("422 FILE_TYPE");
});
