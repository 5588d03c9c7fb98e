import { afterAll, beforeAll, expect, it } from "vitest";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
let first: string;
let second: string;
beforeAll(async () => {
  world = await createConsoleWorld();
  first = await world.logIn("admin-1");
  second = await world.logIn("admin-2");
});
afterAll(() => world.close());

const propose = (rate: string, cookie = first) =>
  world.call("referral/propose", { rate, reason: "Word of mouth in spring" }, cookie);
const proposalOf = (answer: { body: { data: never } }) => (answer.body.data as { proposalId: string }).proposalId;

it("a share of fees takes two admins and applies from the next day on", async () => {
  const made = await propose("0.05");
  expect(made.body.data).toMatchObject({ state: "waiting", rate: "0.05", rateNow: "0.00", fromDay: null });
  const proposalId = proposalOf(made);
  const decide = { proposalId, reason: "Agreed in the meeting" };
  expect((await world.call("referral/approve", decide, first)).status).toBe(403);
  const approved = await world.call("referral/approve", decide, second);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect(approved.body.data).toMatchObject({ state: "approved", rate: "0.05", rateNow: "0.00", fromDay: tomorrow });
  expect((await world.call("referral/approve", decide, second)).status).toBe(409);
  const { rows } = await world.builder.client.query("SELECT rate FROM referral_rates");
  expect(rows).toEqual([{ rate: 50_000 }]);
});

it("is refused above one half, and to anyone but admins", async () => {
  expect((await propose("0.500001")).status).toBe(400);
  expect((await propose("0.5", await world.logIn("finance-1"))).status).toBe(403);
});

it("can be withdrawn by its maker, without effect", async () => {
  const proposalId = proposalOf(await propose("0.2"));
  const back = await world.call("referral/reject", { proposalId, reason: "Too much after all" }, first);
  expect(back.body.data).toMatchObject({ state: "rejected", fromDay: null });
  expect((await world.call("referral/approve", { proposalId, reason: "Still yes" }, second)).status).toBe(409);
  const { rows } = await world.builder.client.query("SELECT count(*)::integer AS count FROM referral_rates");
  expect(rows[0].count).toBe(1);
});
