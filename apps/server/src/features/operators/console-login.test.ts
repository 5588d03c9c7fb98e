import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname, userInfo } from "node:os";
import { resolve } from "node:path";
import { createIdSource } from "@fairtick/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sandboxOperators } from "./index.ts";
import { logIn } from "../sessions/log-in.ts";
import { OPERATORS_DOOR } from "../sessions/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { signDeviceKey } from "../../platform/device-key.ts";
import { SECURITY_METRIC } from "../../platform/security-events.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
  world = await createConsoleWorld();
});
afterAll(() => world.close());

/** A number of calls that is higher than the number of connections in the console's pool. */
const MANY = 24;
const wrong = (login: string) => world.call("session/login", { login, password: "wrong-password" });

it("answers more logins at once than its pool has connections, and other calls meanwhile", async () => {
  const cookie = await world.logIn("auditor-1");
  const begun = performance.now();
  const logins = Array.from({ length: MANY }, (_, index) => wrong(`nobody-${index}`));
  const reads = Array.from({ length: MANY }, () => world.call("operator/list", {}, cookie));
  const [refused, read] = await Promise.all([Promise.all(logins), Promise.all(reads)]);
  expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 422));
  expect(read.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 200));
  // If connections waited for each other, they would give up after ten seconds.
  expect(performance.now() - begun).toBeLessThan(8_000);
});

it("answers more second factors and own passwords at once than its pool has connections", async () => {
  const operator = sandboxOperators(world.context.config.dataDir).find(({ account }) => account === "auditor-1");
  const cookie = await world.logIn("auditor-1");
  const begun = performance.now();
  const answers = await Promise.all(
    Array.from({ length: MANY }, () => world.call("session/startTotp", { password: operator?.password }, cookie)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 200));
  expect(performance.now() - begun).toBeLessThan(8_000);
});

it("keeps strangers' guesses from affecting an operator's own device, and lets the host end the wait on other devices", async () => {
  const operator = sandboxOperators(world.context.config.dataDir).find(({ account }) => account === "finance-2");
  const right = { login: "finance-2", password: operator?.password };
  const device = await deviceOf("finance-2");
  for (let guess = 0; guess < 6; guess += 1) await wrong("finance-2");
  expect((await world.call("session/login", right)).status).toBe(429);
  expect((await world.call("session/login", right, device)).status).toBe(200);
  expect(await clearTries("--login", "finance-2")).toMatchObject({ code: 2 });
  expect(await clearTries("--login", "nobody-here", "--reason", "x")).toMatchObject({ code: 1 });
  expect((await world.call("session/login", right)).status).toBe(429);
  const cleared = await clearTries("--login", "finance-2", "--reason", "Attack on this login");
  expect(cleared).toMatchObject({ code: 0 });
  expect(cleared.said).toContain("finance-2 can log in at once");
  expect((await world.call("session/login", right)).status).toBe(200);
  const { console: database } = world.context.databases;
  const rows = await database.query("SELECT subject, reason, device FROM audit_trail WHERE action = 'host/clearTries'");
  const by = `${userInfo().username}@${hostname()}`;
  expect(rows).toEqual([{ subject: "finance-2", reason: "Attack on this login", device: by }]);
});

it("lets members log in while operators' logins are flooded", async () => {
  let finish = (): void => undefined;
  const flood = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const held: Promise<void>[] = [];
  while (!OPERATORS_DOOR.strangersLane.isFull()) held.push(OPERATORS_DOOR.strangersLane.run(() => flood));
  try {
    expect((await wrong("finance-1")).status).toBe(429);
    const visitor = { ip: "203.0.113.7", lang: "en", userAgent: "x", now: systemClock.now() } as const;
    const context = { ...world.context, ids: createIdSource({ node: 2, clock: systemClock }) };
    const login = { account: "nobody@example.org", password: "wrong-password" };
    expect(await logIn(context, login, visitor)).toMatchObject({ refusal: { error: "BAD_CREDENTIALS" } });
  } finally {
    finish();
    await Promise.all(held);
  }
});

it("counts wrong logins, unknown tokens, unknown paths and logins on a new device", async () => {
  const counted = async (event: string) => {
    const text = await world.metrics.getSingleMetricAsString(SECURITY_METRIC);
    return Number(new RegExp(`side="operator",event="${event}",process="test"} (\\d+)`).exec(text)?.[1]);
  };
  const events = ["login_failed", "token_refused", "path_unknown", "new_device"] as const;
  const before = await Promise.all(events.map(counted));
  await wrong("compliance-1");
  await world.call("operator/list", {}, `operator-session=${"a".repeat(43)}`);
  await world.call("unheardOf", {});
  await world.logIn("compliance-1");
  expect(await Promise.all(events.map(counted))).toEqual(before.map((count) => count + 1));
});

it("counts no try for a malformed message", async () => {
  const cookie = await halfway("support-1");
  const malformed = [{}, { code: "12" }, { code: "abcdef" }, { code: 123456 }, { code: "1".repeat(5_000) }, "{", "[]"];
  for (const body of [...malformed, ...malformed])
    expect((await world.call("session/verifySecondFactor", body, cookie)).status).toBe(400);
  for (const body of [...malformed, ...malformed]) expect((await world.call("session/login", body)).status).toBe(400);
  const { console: database } = world.context.databases;
  expect(await database.query("SELECT 1 FROM attempts WHERE kind = 'code' AND cardinality(tries) > 0")).toEqual([]);
  expect(typeof (await world.logIn("support-1"))).toBe("string");
});

/** Runs the command on the host, as docs/operations.md describes it. */
async function clearTries(...options: readonly string[]): Promise<{ readonly code: unknown; readonly said: string }> {
  const project = resolve(import.meta.dirname, "../../../../..");
  const child = spawn("npm", ["run", "clear-operator-tries", "--", ...options], {
    cwd: project,
    env: { ...process.env, DATABASE_URL: world.context.database.url },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, "exit")) as [unknown];
  return { code, said };
}

/** Returns the session's cookie after the password alone. */
async function halfway(login: string): Promise<string> {
  const operator = sandboxOperators(world.context.config.dataDir).find(({ account }) => account === login);
  const first = await world.call("session/login", { login, password: operator?.password });
  return first.cookie?.split(";")[0] ?? "";
}

/** Returns the cookie of a device on which both factors were given. */
async function deviceOf(login: string): Promise<string> {
  const made = signDeviceKey(world.context.config.secret, "operator");
  await world.context.databases.console.query(
    "INSERT INTO operator_devices SELECT operator_id, $2, 0, 0 FROM operators WHERE login = $1",
    [login, made.hash],
  );
  return `operator-device=${made.text}`;
}
