/** A console on the loopback for tests. Calls send cookie, Origin and header as a browser would unless told otherwise. */
import { createIdSource, type Instant, type TradingConfig } from "@fairtick/domain";
import { createBuilder, type Builder } from "@fairtick/testkit";
import { openFileStore, type FileStore } from "../features/files/index.ts";
import { seedHouseCapital } from "../features/ledger/index.ts";
import { fromBase32, sandboxOperators, totp } from "../features/operators/index.ts";
import { seedRegions } from "../features/regions/index.ts";
import { openTradingConfigs, seedTradingConfig, type TradingConfigs } from "../features/trading-config/index.ts";
import { seedWithdrawalTerms } from "../features/withdrawals/index.ts";
import { systemClock } from "../platform/clock.ts";
import type { Config } from "../platform/config.ts";
import type { HealthReport } from "../platform/health.ts";
import { createMetrics, type Metrics } from "../platform/metrics.ts";
import { createTestContext, type TestContext } from "../platform/test-context.ts";
import { startConsole, type Console } from "../roles/start-console.ts";

export interface Answer {
  readonly status: number;
  readonly body: { readonly code: number; readonly data: never };
  readonly cookie: string | null;
}

export interface ConsoleWorld {
  readonly context: TestContext;
  readonly builder: Builder;
  readonly console: Console;
  readonly configs: TradingConfigs;
  readonly files: FileStore;
  /** The console's metrics. */
  readonly metrics: Metrics;
  /** Sets what the server reports about its health from now on. */
  setHealth(report: HealthReport): void;
  current(): TradingConfig;
  /** Makes a call. `headers` replace the browser's own; an empty one is left out. */
  call(path: string, body: unknown, cookie?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Logs in a seeded operator with both factors. Returns their cookie. */
  logIn(login: string): Promise<string>;
  close(): Promise<void>;
}

export async function createConsoleWorld(overrides: Partial<Config> = {}): Promise<ConsoleWorld> {
  const context = await createTestContext({ consolePort: 0, rateLimitFactor: 1000, ...overrides });
  // Use the machine's clock, since sessions and dates are compared with the database's clock too.
  const running = { ...context, clock: systemClock };
  await seedTradingConfig(running);
  await seedRegions(running);
  await seedWithdrawalTerms(running);
  await seedHouseCapital(running);
  const configs = await openTradingConfigs(running);
  const ids = createIdSource({ node: 1, clock: systemClock });
  const files = await openFileStore(running, ids);
  const metrics = createMetrics("test");
  let health: HealthReport = { ready: true, accepting: true, degraded: [] };
  const console = await startConsole({ ...running, metrics }, ids, {
    configs,
    files,
    health: () => health,
    ledger: () => null,
  });
  const builder = await createBuilder(context.database.url);

  const call: ConsoleWorld["call"] = async (path, body, cookie = "", headers = {}) => {
    const all = {
      "content-type": "application/json",
      origin: console.url,
      "x-fairtick-console": "1",
      cookie,
      ...headers,
    };
    const response = await fetch(`${console.url}/operator/${path}`, {
      method: "POST",
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")),
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return {
      status: response.status,
      body: (isJson ? JSON.parse(text) : { code: response.status, data: text }) as Answer["body"],
      cookie: response.headers.get("set-cookie"),
    };
  };

  const steps = new Map<string, bigint>();
  const nameAndValue = (cookie: string | null) => cookie?.split(";")[0] ?? "";
  return {
    context,
    builder,
    console,
    configs,
    files,
    metrics,
    setHealth(report) {
      health = report;
    },
    current: () => configs.current(systemClock.now()),
    call,
    async logIn(login) {
      const operator = sandboxOperators(context.config.dataDir).find(({ account }) => account === login);
      if (operator === undefined) throw new Error(`there is no operator ${login}`);
      const first = await call("session/login", { login, password: operator.password });
      // A code opens only one session. For the next one, use the next step's code early, as a phone with a fast clock would.
      const step = steps.get(login) ?? 0n;
      const now = systemClock.now() / 30_000n;
      const next = step < now - 1n ? now - 1n : step + 1n;
      steps.set(login, next);
      const code = totp(fromBase32(operator.totpSecret), (next * 30_000n) as Instant);
      const second = await call("session/verifySecondFactor", { code }, nameAndValue(first.cookie));
      if (second.status !== 200) throw new Error(`${login} could not log in: ${JSON.stringify(second.body)}`);
      return nameAndValue(second.cookie);
    },
    async close() {
      configs.close();
      await console.close();
      await builder.end();
      await context.close();
    },
  };
}
