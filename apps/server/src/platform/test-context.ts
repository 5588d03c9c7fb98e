import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, createTestDatabase, type FakeClock, type TestDatabase } from "@fairtick/testkit";
import { createLocalBus } from "./bus.ts";
import { readConfig, type Config } from "./config.ts";
import { closeDatabases, openDatabases, type Context } from "./context.ts";
import { createLog } from "./log.ts";
import type { Message, Messenger } from "./messenger.ts";

export interface TestContext extends Context {
  readonly clock: FakeClock;
  readonly database: TestDatabase;
  /** Keeps mails and SMS in `posted` instead of sending them. */
  readonly messenger: Messenger;
  readonly posted: readonly Message[];
  /** Ends the pools and drops the database. For `afterAll`. */
  close(): Promise<void>;
}

/**
 * Creates a context for a test file: its own real database with a pool for every role, a bus within the process, a clock that
 * the test moves, and default settings. What a bus subscriber throws fails the test.
 */
export async function createTestContext(
  overrides: Partial<Config> = {},
  clock: FakeClock = createFakeClock(),
): Promise<TestContext> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "fairtick-test-data-"));
  const config = { ...readConfig({ DATABASE_URL: database.url, LOG_LEVEL: "silent" }), dataDir, ...overrides };
  const log = createLog("test", config.logLevel);
  const databases = openDatabases(database.url, log);
  const bus = createLocalBus((error) => {
    throw error;
  });
  return {
    ...keptMessages(),
    config,
    log,
    clock,
    bus,
    databases,
    database,
    async close() {
      await closeDatabases(databases);
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a messenger that sends nothing and keeps mails and SMS in `posted`, oldest first. */
export function keptMessages(): Pick<TestContext, "messenger" | "posted"> {
  const posted: Message[] = [];
  return {
    posted,
    messenger: { post: (message) => void posted.push(message), drained: () => Promise.resolve() },
  };
}
