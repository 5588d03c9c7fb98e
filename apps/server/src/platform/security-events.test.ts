import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { createSecurityWatch, SECURITY_METRIC } from "./security-events.ts";

const RULES = readFileSync(resolve(import.meta.dirname, "../../../../docs/alerts/security.rules.yml"), "utf8");
/** Interval of the scrapes that the rules assume. */
const SCRAPE_SECONDS = 15;

function openWatch() {
  const lines: string[] = [];
  const log = createLog("test", "silent");
  log.level = "warn";
  Object.assign(log, { warn: (entry: unknown) => void lines.push(JSON.stringify(entry)) });
  const metrics = createMetrics("test");
  const time = { elapsedMs: 0 };
  const parts = { log, secret: Buffer.alloc(32, 1), clock: { elapsedMs: () => time.elapsedMs }, metrics };
  const watch = createSecurityWatch("member", parts);
  createSecurityWatch("operator", parts);
  return { lines, metrics, time, watch };
}

const rules = RULES.split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({ name: text.split("\n")[0] ?? "", expr: /^ {8}expr: (.*)$/m.exec(text)?.[1] ?? "", text }));

describe("security events", () => {
  it("are counted and logged without accounts or addresses", async () => {
    const { lines, metrics, watch } = openWatch();
    const call = { path: "auth/login", ip: "203.0.113.7", account: "maria@example.org" };
    watch.sawCall({ ...call, error: "BAD_CREDENTIALS" });
    watch.sawCall({ ...call, error: "TOO_MANY_TRIES" });
    watch.sawCall({ ...call, error: null });
    watch.sawCall({ ...call, error: null, isNewDevice: true });
    watch.sawCall({ ...call, path: "order/place", error: "STAKE_BELOW_MINIMUM" });
    const text = await metrics.getSingleMetricAsString(SECURITY_METRIC);
    for (const event of ["login_failed", "login_braked", "new_device"])
      expect(text).toContain(`{side="member",event="${event}",process="test"} 1`);
    expect(lines).toHaveLength(3);
    expect(lines.join("\n")).not.toMatch(/maria|203\.0\.113/);
    const subjects = lines.map((line) => (JSON.parse(line) as { account: string }).account);
    expect(new Set(subjects).size).toBe(1);
  });

  it("are counted from 0, so that an alert sees the first of each kind", async () => {
    const { metrics } = openWatch();
    const text = await metrics.getSingleMetricAsString(SECURITY_METRIC);
    const source = readFileSync(resolve(import.meta.dirname, "security-events.ts"), "utf8");
    const events = [...source.matchAll(/^ {2}\| "([a-z_]+)"/gm)].map(([, event]) => event ?? "");
    expect(events.length).toBeGreaterThan(10);
    for (const side of ["member", "operator"])
      for (const event of events) expect(text).toContain(`{side="${side}",event="${event}",process="test"} 0`);
  });

  it("count resets of either password, and invalid tokens", async () => {
    const { metrics, watch } = openWatch();
    const call = { ip: "203.0.113.7", account: "7" };
    watch.sawCall({ ...call, path: "auth/resetPassword", error: null });
    watch.sawCall({ ...call, path: "user/resetTradePassword", error: null });
    watch.sawCall({ ...call, path: "order/list", error: "SESSION_EXPIRED" });
    const text = await metrics.getSingleMetricAsString(SECURITY_METRIC);
    expect(text).toContain('{side="member",event="password_reset",process="test"} 2');
    expect(text).toContain('{side="member",event="token_refused",process="test"} 1');
  });

  it("are all counted in a flood, while the log gets fifty lines a second and the number of the rest", async () => {
    const { lines, metrics, time, watch } = openWatch();
    for (let index = 0; index < 1_000; index += 1) watch.note("socket_refused", { ip: "203.0.113.7" });
    expect(lines).toHaveLength(50);
    time.elapsedMs += 1_000;
    watch.note("socket_refused", { ip: "203.0.113.7" });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ unlogged: 950 });
    expect(lines.join("")).not.toContain("203.0.113.7");
    const text = await metrics.getSingleMetricAsString(SECURITY_METRIC);
    expect(text).toContain('{side="member",event="socket_refused",process="test"} 1001');
  });
});

describe("the alert rules", () => {
  it("name metrics and events that exist", () => {
    const { metrics } = openWatch();
    expect(rules.length).toBeGreaterThan(5);
    const source = readFileSync(resolve(import.meta.dirname, "security-events.ts"), "utf8");
    for (const { name, expr, text } of rules) {
      const named = [...expr.matchAll(/\b([a-z_]+)\{/g)].map(([, metric]) => metric ?? "");
      expect([name, named.length > 0, named.every((metric) => metrics.getSingleMetric(metric) !== undefined)]).toEqual([
        name,
        true,
        true,
      ]);
      for (const event of (/event=~?"([^"]+)"/.exec(expr)?.[1] ?? "").split("|"))
        expect([name, event, source.includes(`| "${event}"`)]).toEqual([name, event, true]);
      expect(text).toMatch(/severity: (page|warn)\n[\s\S]*summary: \S/);
    }
  });

  it("notice a password-guessing run of one try a second within a minute", async () => {
    const { metrics, watch } = openWatch();
    const rule = rules.find(({ name }) => name === "PasswordGuessing");
    const threshold = Number(/> (\d+)$/.exec(rule?.expr ?? "")?.[1]);
    const interval = Number(/interval: (\d+)s/.exec(RULES)?.[1]);
    let seconds = 0;
    const counted = async () => {
      const { values } = (await metrics.getSingleMetric(SECURITY_METRIC)?.get()) ?? { values: [] };
      return values.reduce((sum, { value }) => sum + value, 0);
    };
    while ((await counted()) <= threshold) {
      watch.sawCall({
        path: "auth/login",
        ip: "203.0.113.7",
        account: `a${seconds}@example.org`,
        error: "BAD_CREDENTIALS",
      });
      seconds += 1;
    }
    expect(rule?.text).not.toContain("for:");
    expect(seconds + SCRAPE_SECONDS + interval).toBeLessThanOrEqual(60);
  });
});
