import { createIdSource } from "@fairtick/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFileStore } from "../files/index.ts";
import { openTradingConfigs, seedTradingConfig } from "../trading-config/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { startConsole } from "../../roles/start-console.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext({
    deployment: "live",
    consolePort: 0,
    consoleUrl: "https://office.example",
    consoleFounders: ["alice", "bob"],
  });
  await seedTradingConfig(context);
});
afterAll(() => context.close());

it("a live console without operators invites its first admins once and creates no sandbox operators", async () => {
  const running = { ...context, clock: systemClock };
  const configs = await openTradingConfigs(running);
  const ids = createIdSource({ node: 2, clock: systemClock });
  const files = await openFileStore(running, ids);
  const start = () =>
    startConsole(running, ids, {
      configs,
      files,
      health: () => ({ ready: true, accepting: true, degraded: [] }),
      ledger: () => null,
    });
  const first = await start();
  await first.close();
  const again = await start();
  await again.close();
  configs.close();
  const [, alice, bob] = first.places;
  expect(alice?.what).toBe("Invitation of alice");
  expect(bob?.where).toMatch(/^https:\/\/office\.example\/#\/invitation\/[A-Za-z0-9_-]{43}$/);
  expect(again.places).toHaveLength(1);
  const rows = await context.databases.console.query(
    "SELECT login, password_hash, role FROM operators JOIN operator_roles USING (operator_id) ORDER BY login",
  );
  expect(rows).toEqual([
    { login: "alice", password_hash: null, role: "admin" },
    { login: "bob", password_hash: null, role: "admin" },
  ]);
});
