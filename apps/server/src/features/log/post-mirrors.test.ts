import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Builder, createBuilder, waitUntil } from "@fairtick/testkit";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createHealth, type Health } from "../../platform/health.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { postToMirrors } from "./post-mirrors.ts";

let context: TestContext;
let build: Builder;
let mirror: Server;
let shown: string[];
let status = 200;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
  mirror = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      shown.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`);
      response.writeHead(status).end("kept");
    });
  });
  await new Promise<void>((resolve) => {
    mirror.listen(0, "127.0.0.1", resolve);
  });
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});
afterAll(async () => {
  await new Promise((resolve) => {
    mirror.close(resolve);
  });
  await build.end();
  await context.close();
});

async function publish(note: string): Promise<void> {
  await build.client.query("DELETE FROM log_published");
  await build.client.query(
    `INSERT INTO log_published (size, note, covers_at, signed_size, signed_note, signed_at, witnesses)
     VALUES (1, $1, 1, 1, $1, 1, '[]')`,
    [note],
  );
}

function start(urls: readonly string[], silentMs = 60_000): { health: Health; metrics: Registry } {
  shown = [];
  const [health, metrics] = [createHealth(systemClock), new Registry()];
  const config = { ...context.config, checkpointMirrors: urls };
  running.push(postToMirrors({ ...context, clock: systemClock, config, health, metrics }, 20, silentMs));
  return { health, metrics };
}

const url = () => `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
const host = () => new URL(url()).host;

it("shows each new checkpoint to every mirror once, byte for byte", async () => {
  await publish("house.example/log\n1\nAAAA\n\n— house.example/log signed\n");
  const { metrics } = start([`${url()}/one?key=secret`, `${url()}/two`]);
  await waitUntil("the first", async () => shown.length >= 2 || null);
  await publish("house.example/log\n2\nBBBB\n\n— house.example/log signed\n");
  await waitUntil("the second", async () => shown.length >= 4 || null);
  expect(shown.toSorted()).toEqual([
    "POST /one?key=secret house.example/log\n1\nAAAA\n\n— house.example/log signed\n",
    "POST /one?key=secret house.example/log\n2\nBBBB\n\n— house.example/log signed\n",
    "POST /two house.example/log\n1\nAAAA\n\n— house.example/log signed\n",
    "POST /two house.example/log\n2\nBBBB\n\n— house.example/log signed\n",
  ]);
  // The counter changes only once the mirror's answer has arrived, which is after the mirror got the checkpoint.
  const taken = `fairtick_checkpoint_mirror_posts_total{mirror="${host()}",result="taken"} 4`;
  const text = await waitUntil("the count", async () => {
    const told = await metrics.metrics();
    return told.includes(taken) ? told : null;
  });
  expect(text).not.toContain("secret");
});

it("counts failures, tries again, and names a mirror that stays silent, while the others are served", async () => {
  await publish("house.example/log\n3\nCCCC\n\n— house.example/log signed\n");
  status = 503;
  const { health, metrics } = start([url(), "http://127.0.0.1:1/"], 100);
  const trouble = await waitUntil("a silent mirror", async () => health.troubles()[0] ?? null);
  expect(trouble).toMatchObject({ part: "mirrors", cause: expect.stringContaining(host()) });
  expect(await metrics.metrics()).toMatch(/mirror="127\.0\.0\.1:1",result="failed"} [1-9]/);
  status = 200;
  await waitUntil("it takes one", async () => health.troubles()[0]?.cause.includes(host()) === false || null);
  expect(health.troubles()[0]?.cause).toContain("127.0.0.1:1");
});
