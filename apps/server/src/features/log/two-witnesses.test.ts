import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@fairtick/testkit";
import { openCheckpoint, parsePolicy } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import { fastify } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { createAcceptanceSwitch } from "../orders/index.ts";
import { logVerifierKeys } from "./log-keys.ts";
import { addLogPages } from "./log-pages.ts";
import { readPublication, type WitnessStanding } from "./log-store.ts";
import { readMixWitness } from "./read-mix.ts";
import { startLog } from "./start-log.ts";
import { watchLog } from "./watch-log.ts";

const ORIGIN = "test.example/log";
const COMMAND = resolve(import.meta.dirname, "../../../../../packages/transparency/src/cli/main.ts");
let folder: string;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "two-witnesses-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true });
});

interface Witness {
  readonly url: string;
  readonly key: string;
  end(): Promise<void>;
}

/** Starts the witness program as someone else would run it. `port`: where it listened before. */
async function startWitness(name: string, logKey: string, port = "0"): Promise<Witness> {
  const folderOf = join(folder, name);
  const args = ["witness", "--folder", folderOf, "--log", logKey, "--name", `${name}.example/w`, "--port", port];
  const child: ChildProcess = fork(COMMAND, args, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const gone = once(child, "exit");
  const end = async () => {
    child.kill("SIGTERM");
    await gone;
  };
  closing.push(end);
  const [told] = (await once(child, "message")) as [{ url: string; key: string }];
  return { ...told, end };
}

interface Watching {
  readonly url: string;
  readonly context: TestContext;
  readonly witnesses: () => Promise<readonly WitnessStanding[]>;
}

/** Serves the log's pages with these witnesses. The writer runs once `log` is started. */
async function openPages(
  witnesses: readonly Pick<Witness, "url" | "key">[],
  witnessesRequired = witnesses.length,
): Promise<Watching> {
  const settings = { dataDir: folder, logOrigin: ORIGIN };
  const context = await createTestContext({ ...settings, witnesses, witnessesRequired });
  closing.push(() => context.close());
  const log = await startLog({ ...context, clock: systemClock });
  closing.push(() => log.stop());
  const pages = fastify();
  addLogPages(pages, context, log.files);
  await pages.listen({ port: 0, host: "127.0.0.1" });
  closing.push(() => pages.close());
  const url = `http://127.0.0.1:${(pages.server.address() as AddressInfo).port}/log`;
  return {
    url,
    context,
    witnesses: async () => {
      const told = (await (await fetch(`${url}/witnesses`)).json()) as { witnesses: readonly WitnessStanding[] };
      return told.witnesses;
    },
  };
}

it("names every witness with its key and its last signature, even while another is away", async () => {
  const [logKey = ""] = logVerifierKeys({ dataDir: folder, logOrigin: ORIGIN });
  const [first, second] = [await startWitness("first", logKey), await startWitness("second", logKey)];
  const { url, witnesses } = await openPages([first, second]);
  const all = await waitUntil("both to have signed", async () => {
    const told = await witnesses();
    return told.length === 2 && told.every(({ at }) => at !== null) ? told : null;
  });
  expect(all.map(({ name, key }) => [name, key])).toEqual([
    ["first.example/w", first.key],
    ["second.example/w", second.key],
  ]);
  for (const { at } of all) expect(Math.abs(Date.now() - (at ?? 0))).toBeLessThan(60_000);

  // A verifier that takes the keys from the log takes both witnesses and needs both.
  const policy = parsePolicy((await run(["keys", "--log", url])).lines.join("\n"));
  expect([policy.witnessKeys.map(({ name }) => name), policy.witnessesNeeded]).toEqual([
    all.map(({ name }) => name),
    2,
  ]);
  const opened = openCheckpoint(await (await fetch(`${url}/checkpoint`)).text(), policy);
  expect(opened.ok && opened.witnesses.map((each) => each.key.name)).toEqual(all.map(({ name }) => name));

  await second.end();
  const [before] = await witnesses();
  const [still, gone] = await waitUntil("the first to go on alone", async () => {
    const told = await witnesses();
    return (told[0]?.at ?? 0) > (before?.at ?? 0) + 2_000 ? told : null;
  });
  expect(gone?.at).toBeLessThan(still?.at ?? 0);
  // Nothing is published unless both signed it.
  const late = openCheckpoint(await (await fetch(`${url}/checkpoint`)).text(), policy);
  // The remaining witness may have signed the same checkpoint a second after the one that is gone.
  const times = late.ok ? new Map(late.witnesses.map(({ key, time }) => [key.name, Number(time) * 1000])) : null;
  expect(times?.get("second.example/w")).toBeLessThanOrEqual(gone?.at ?? 0);
  expect(times?.get("first.example/w")).toBeLessThan(still?.at ?? 0);
});

it("names a witness that never signed, but none that is no longer asked", async () => {
  const [logKey = ""] = logVerifierKeys({ dataDir: folder, logOrigin: ORIGIN });
  const [first, away] = [await startWitness("first", logKey), await startWitness("away", logKey)];
  await away.end();
  const { witnesses, context } = await openPages([first, away]);
  const told = await waitUntil("the first to have signed", async () => {
    const found = await witnesses();
    return found[0]?.at ? found : null;
  });
  expect(told[1]).toMatchObject({ name: "away.example/w", key: away.key, size: null, at: null });
  const pages = fastify();
  closing.push(() => pages.close());
  addLogPages(pages, { ...context, config: { ...context.config, witnesses: [away] } }, { read: async () => null });
  const other = await pages.inject("/log/witnesses");
  expect(other.json()).toMatchObject({ witnesses: [{ name: "away.example/w", at: null }] });
});

it("continues with one away if one of two is enough, and says that one is enough", async () => {
  const [logKey = ""] = logVerifierKeys({ dataDir: folder, logOrigin: ORIGIN });
  const [first, second] = [await startWitness("first", logKey), await startWitness("second", logKey)];
  const { url, witnesses, context } = await openPages([first, second], 1);
  await waitUntil("both to have signed", async () => (await witnesses()).every(({ at }) => at !== null));
  const policy = parsePolicy((await run(["keys", "--log", url])).lines.join("\n"));
  expect([policy.witnessKeys.length, policy.witnessesNeeded]).toEqual([2, 1]);

  await first.end();
  const coversAt = async () => {
    const [row] = await context.databases.reader.query<{ at: bigint }>("SELECT covers_at AS at FROM log_published");
    return row?.at ?? 0n;
  };
  const before = await coversAt();
  await waitUntil("what is published to go on", async () => (await coversAt()) > before + 6_000n);
  const opened = openCheckpoint(await (await fetch(`${url}/checkpoint`)).text(), policy);
  expect(opened.ok && opened.witnesses.map(({ key }) => key.name)).toEqual(["second.example/w"]);
  // The next epoch waits for the witness that its commit names, so the commit must not name one that is away.
  const named = async () => readMixWitness(context.databases.market, [first.key, second.key]);
  expect(
    await waitUntil("the second to be named", async () => ((await named()) === second.key ? second.key : null)),
  ).toBe(second.key);
});

it("reports the outage of a witness, with its name and times, to everyone", { timeout: 60_000 }, async () => {
  const [logKey = ""] = logVerifierKeys({ dataDir: folder, logOrigin: ORIGIN });
  const [first, second] = [await startWitness("first", logKey), await startWitness("second", logKey)];
  const { url, witnesses, context } = await openPages([first, second]);
  await waitUntil("both to have signed", async () => (await witnesses()).every(({ at }) => at !== null));
  const acceptance = createAcceptanceSwitch();
  const watch = watchLog({ ...context, clock: systemClock }, acceptance);
  closing.push(() => watch.stop());
  const coversAt = async () => Number((await readPublication(context.databases.reader))?.coversAt);
  const incidents = () =>
    context.databases.jobs.query<{ entry: string }>("SELECT entry FROM outbox WHERE kind = 'incident'");

  await second.end();
  // Members and operators learn which witness is missing while orders wait.
  const cause = await waitUntil("orders to stop", () => acceptance.reasons().get("log") ?? null);
  expect(cause).toMatch(/^the public log is \d+ ms behind; not signed by second\.example\/w$/);
  const from = await coversAt();
  await sleep(8_000);
  expect([await coversAt(), await incidents()]).toEqual([from, []]);

  await startWitness("second", logKey, new URL(second.url).port);
  const [told, ...more] = await waitUntil("the incident", async () => {
    const found = await incidents();
    return found.length > 0 ? found.map(({ entry }) => JSON.parse(entry)) : null;
  });
  expect(more).toEqual([]);
  expect(told).toMatchObject({ from, part: "log", at: told.to });
  expect(told.reason).toBe("no checkpoint was published; not signed by second.example/w");
  expect([told.to - from > 10_000, told.to - from < 40_000]).toEqual([true, true]);

  // A stranger reads it in the log.
  await waitUntil("the incident to be published", async () => (await coversAt()) > told.to + 2_000);
  const keys = join(folder, "pinned.keys");
  writeFileSync(keys, (await run(["keys", "--log", url])).lines.join("\n"));
  const { lines } = await run(["verify", "--log", url, "--keys", keys]);
  const [since, until] = [from, told.to].map((moment) => new Date(moment).toISOString());
  expect(lines.filter((line) => line.includes(" stood still "))).toEqual([
    expect.stringContaining(`: log stood still from ${since} to ${until}: ${told.reason}`),
  ]);
  expect(lines.join("\n")).toMatch(/^pauses: log 1 \(/m);
});
