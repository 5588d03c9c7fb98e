import type { PolicyProposal, PolicyVersion, WithdrawalTermsEntry } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

const DAY_MS = 86_400_000;
let world: ConsoleWorld;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";
beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["admin-1", "admin-2", "finance-1"]) cookies.set(login, await world.logIn(login));
});
afterAll(() => world.close());

interface Listed {
  readonly terms: WithdrawalTermsEntry;
  readonly versions: PolicyVersion[];
}
const list = async () => (await world.call("withdrawalTerms/list", {}, as("finance-1"))).body.data as Listed;
const propose = async (change: object, login = "admin-1") => {
  const answer = await world.call("withdrawalTerms/propose", { ...change, reason: "Gas has become dearer" }, as(login));
  return { status: answer.status, made: answer.body.data as PolicyProposal };
};
const approve = (proposalId: string, login: string) =>
  world.call("withdrawalTerms/approve", { proposalId, reason: "Seen the bills" }, as(login));

describe("the terms of withdrawals", () => {
  it("start with version 1, in the log", async () => {
    expect((await list()).terms).toEqual({
      minimum: "10.00",
      maximum: "50000.00",
      fee: "1.00",
      dayMax: null,
      automaticMax: "500.00",
      singleMax: "5000.00",
    });
    const { rows } = await world.builder.client.query(
      "SELECT entry FROM outbox WHERE kind = 'policy' ORDER BY outbox_id",
    );
    expect(rows.map(({ entry }) => (JSON.parse(entry) as { name: string }).name)).toEqual(["regions", "withdrawals"]);
  });

  it("are changed by two admins, and stricter rules of the house take effect within seconds", async () => {
    const { made } = await propose({ automaticMax: "200.00", singleMax: "2000.00" });
    expect(made.differences).toEqual([
      { what: "automaticMax", before: "500.00", after: "200.00" },
      { what: "singleMax", before: "5000.00", after: "2000.00" },
    ]);
    expect((await approve(made.proposalId, "admin-1")).status).toBe(403);
    expect((await approve(made.proposalId, "finance-1")).status).toBe(403);
    expect((await approve(made.proposalId, "admin-2")).status).toBe(200);
    const { versions, terms } = await list();
    expect(versions[0]).toMatchObject({ version: 2, state: "coming", approvedBy: { login: "admin-2" } });
    expect(versions[0]!.effectiveAt - Date.now()).toBeLessThan(11_000);
    expect(terms.automaticMax).toBe("500.00");
  });

  it("are known a day before they take effect if they make members worse off", async () => {
    const soon = { fee: "2.00", effectiveAt: String(Date.now() + DAY_MS - 60_000) };
    expect((await propose(soon)).status).toBe(400);
    const { made } = await propose({ fee: "2.00" });
    const approvedAt = Date.now();
    expect((await approve(made.proposalId, "admin-2")).status).toBe(200);
    const { versions } = await list();
    expect(versions[0]!.effectiveAt - approvedAt).toBeGreaterThan(DAY_MS - 5_000);
  });

  it("are refused outside their bounds, and for anyone who isn't an admin", async () => {
    expect((await propose({ fee: "10.00" })).status).toBe(400);
    expect((await propose({ dayMax: "100.00" })).status).toBe(400);
    expect((await propose({ fee: "2.00" })).status).toBe(400);
    expect((await propose({ fee: "0.50" }, "finance-1")).status).toBe(403);
  });
});
