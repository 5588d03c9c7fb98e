import { afterAll, beforeAll, expect, it } from "vitest";
import { sandboxOperators } from "../features/operators/index.ts";
import { createConsoleWorld, type ConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
  world = await createConsoleWorld();
});
afterAll(() => world.close());

/** More than the console's pool has connections. */
const MANY = 24;
const wrong = (login: string) => world.call("session/login", { login, password: "wrong-password" });

it("answers more logins at once than its pool has connections, and reads meanwhile", async () => {
  const cookie = await world.logIn("auditor-1");
  const begun = performance.now();
  const logins = Array.from({ length: MANY }, (_, index) => wrong(`nobody-${index}`));
  const reads = Array.from({ length: MANY }, () => world.call("operator/list", {}, cookie));
  const [refused, read] = await Promise.all([Promise.all(logins), Promise.all(reads)]);
  expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 422));
  expect(read.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 200));
  // Connections that wait for each other are given up after ten seconds.
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
