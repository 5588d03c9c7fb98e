import { type ClientId, createIdSource, type Direction, type MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BusEvents } from "../../platform/bus.ts";
import { createOrderWorld, instant, newClientId, type OrderWorld } from "../orders/test-world.ts";
import { readAlerts } from "./alert-rows.ts";
import { ALERTS_MAX, type AlertContext, createAlert, deleteAlert } from "./change-alerts.ts";
import { fireAlerts } from "./fire-alerts.ts";

let world: OrderWorld;
let alerts: AlertContext;
const told: BusEvents["alerts"][] = [];
beforeAll(async () => {
  world = await createOrderWorld();
  alerts = {
    databases: world.context.databases,
    configs: world.configs,
    ids: createIdSource({ node: 902, clock: world.context.clock }),
  };
  world.context.bus.subscribe("alerts", (event) => told.push(event));
});
afterAll(() => world.close());

const member = async () => (await world.build.createMember()) as MemberId;
async function ask(memberId: MemberId, direction: Direction, price: string, clientId: ClientId = newClientId()) {
  const now = instant(await world.build.now());
  return createAlert(alerts, memberId, { symbol: "EURUSD", price, direction, clientId }, now);
}
async function states(memberId: MemberId) {
  const { rows } = await world.build.client.query(
    "SELECT price::text, fired_price::text AS fired FROM price_alerts WHERE member_id = $1 ORDER BY alert_id",
    [memberId],
  );
  return rows.map(({ price, fired }) => [price, fired]);
}

describe("an alert", () => {
  it("is created once for a client id, shown with its price, and deleted", async () => {
    const memberId = await member();
    const clientId = newClientId();
    const made = await ask(memberId, "up", "1.2", clientId);
    expect(made).toMatchObject({ value: [{ symbol: "EURUSD", price: "1.200000", direction: "up", firedAt: null }] });
    expect(await ask(memberId, "up", "1.200000", clientId)).toMatchObject({ ok: true, value: [{}] });
    expect(await ask(memberId, "down", "1.2", clientId)).toMatchObject({ refusal: { error: "CLIENT_ID_REUSED" } });
    if (!made.ok) throw new Error("refused");
    const alertId = made.value[0]?.alertId ?? "";
    expect(await deleteAlert(alerts, await member(), alertId)).toMatchObject({ refusal: { error: "NOT_FOUND" } });
    expect(await deleteAlert(alerts, memberId, alertId)).toEqual({ ok: true, value: [] });
    expect(await deleteAlert(alerts, memberId, "nonsense")).toMatchObject({ refusal: { error: "NOT_FOUND" } });
  });

  it.each([
    ["INSTRUMENT_UNKNOWN", "XXXUSD", "1.2"],
    ["FIELD_INVALID", "EURUSD", "1.23456789"],
    ["FIELD_INVALID", "EURUSD", "0"],
  ])("is refused with %s for %s at %s", async (error, symbol, price) => {
    const now = instant(await world.build.now());
    const wish = { symbol, price, direction: "up", clientId: newClientId() } as const;
    expect(await createAlert(alerts, await member(), wish, now)).toMatchObject({ refusal: { error } });
  });

  it("is one of at most fifty, however many are requested at once", async () => {
    const memberId = await member();
    const answers = await Promise.all(Array.from({ length: ALERTS_MAX + 3 }, () => ask(memberId, "up", "2.5")));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(ALERTS_MAX);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ refusal: { error: "CONFLICT" } });
  });
});

describe("prices", () => {
  it("fire each alert once, with the first tick that reaches it after its creation", async () => {
    const memberId = await member();
    await world.tick("EURUSD", 1_085_500n);
    for (const [direction, price] of [
      ["up", "1.085400"],
      ["up", "1.085700"],
      ["down", "1.085100"],
      ["down", "1.080000"],
    ] as const)
      await ask(memberId, direction, price);
    told.length = 0;
    // Prices from before the alert was created don't count.
    expect(await fireAlerts(world.context)).toBe(0);
    for (const price of [1_085_399n, 1_085_300n, 1_085_700n, 1_085_900n, 1_085_100n, 1_085_050n])
      await world.tick("EURUSD", price);
    const counts = await Promise.all([fireAlerts(world.context), fireAlerts(world.context)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(await states(memberId)).toEqual([
      ["1085400", "1085700"],
      ["1085700", "1085700"],
      ["1085100", "1085100"],
      ["1080000", null],
    ]);
    expect(await fireAlerts(world.context)).toBe(0);
    const members = told.flatMap((event) => event.members);
    const ids = told.flatMap((event) => event.alertIds);
    const read = await readAlerts(alerts, members, ids);
    expect(read.map(({ alert }) => alert.price).toSorted()).toEqual(["1.085100", "1.085400", "1.085700"]);
  });

  it("that came while the server was down are examined later", async () => {
    const memberId = await member();
    await fireAlerts(world.context);
    await ask(memberId, "up", "1.090000");
    await world.tick("EURUSD", 1_090_000n);
    await world.tick("EURUSD", 1_085_000n);
    // As if the server had stopped before it examined these ticks.
    await world.build.client.query(
      "INSERT INTO alert_progress VALUES ('EURUSD', 0) ON CONFLICT (symbol) DO UPDATE SET checked_through = 0",
    );
    expect(await fireAlerts(world.context)).toBe(1);
    expect(await states(memberId)).toEqual([["1090000", "1090000"]]);
  });
});
