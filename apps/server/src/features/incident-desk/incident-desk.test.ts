import { formatId, formatPrefixedId, type Instant, type MemberId } from "@fairtick/domain";
import type { Incident } from "@fairtick/protocol/operator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openIncident } from "../chain/index.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

const WALLET = `0x${"a".repeat(40)}`;
let world: ConsoleWorld;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;
const idOf = (incident: bigint) => formatPrefixedId("inc", incident);

beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["finance-1", "finance-2", "admin-1", "compliance-1", "auditor-1"]) {
    cookies.set(login, await world.logIn(login));
  }
});
afterAll(() => world.close());

let memberId: bigint;
let made = 0;
beforeEach(async () => {
  memberId = await world.builder.createMember();
  made += 1;
});

const open = (
  kind: "credited_reorg" | "missed_transfer" | "payout_stopped",
  subject: string,
  of: bigint | null = null,
) =>
  openIncident(
    kind === "payout_stopped" ? world.context.databases.payout : world.context.databases.chain,
    { kind, subject, memberId: of, detail: { chain: "test" } },
    1n,
  );

async function frozen(): Promise<bigint> {
  const incident = (await open("credited_reorg", `deposit ${made}`, memberId))!;
  await sql("INSERT INTO withdrawal_freezes (member_id, incident_id, frozen_at) VALUES ($1, $2, 1)", [
    String(memberId),
    String(incident),
  ]);
  return incident;
}
const isFrozen = async () =>
  (await sql<{ frozen: boolean }>("SELECT is_frozen($1) AS frozen", [String(memberId)]))[0]!.frozen;

async function stoppedWallet(): Promise<{ incident: bigint; stopped: () => Promise<boolean> }> {
  const [instance] = await sql<{ instance_id: number }>(
    `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
     VALUES ($1, 31337, '0x1', '0x2', 9, '0x9', 9, 1) RETURNING instance_id`,
    [`test-${made}`],
  );
  const id = instance!.instance_id;
  await sql(
    "INSERT INTO payout_wallets (instance_id, address, next_nonce, made_at, stopped_at, stop_reason) VALUES ($1, $2, 0, 1, 1, 'nonce 4')",
    [id, WALLET],
  );
  const incident = (await open("payout_stopped", `${id} ${WALLET}`))!;
  const stopped = async () =>
    (await sql("SELECT 1 FROM payout_wallets WHERE instance_id = $1 AND stopped_at IS NOT NULL", [id])).length > 0;
  return { incident, stopped };
}

const propose = async (incident: bigint, login = "finance-1") => {
  const answer = await world.call(
    "incident/propose",
    { incidentId: idOf(incident), reason: "Seen with another node" },
    as(login),
  );
  return { status: answer.status, proposalId: (answer.body.data as Incident | null)?.proposal?.proposalId ?? "" };
};
const decide = (verb: "approve" | "reject", proposalId: string, login: string) =>
  world.call(`incident/${verb}`, { proposalId, reason: "Looked as well" }, as(login));

describe("the health of the server", () => {
  afterEach(() => world.setHealth({ ready: true, accepting: true, degraded: [] }));

  interface Told {
    readonly health: unknown;
    readonly chains: readonly { readonly chain: string; readonly trouble: string | null }[];
  }
  const list = async () => (await world.call("incident/list", {}, as("auditor-1"))).body.data as Told;

  it("is listed with the incidents: what does not work, since when and why", async () => {
    expect((await list()).health).toEqual({ ready: true, accepting: true, degraded: [] });
    const dead = { part: "signer", since: 1_000n as Instant, cause: "the signer does not answer: withdrawals wait" };
    world.setHealth({ ready: true, accepting: false, degraded: [dead] });
    expect((await list()).health).toEqual({ ready: true, accepting: false, degraded: [{ ...dead, since: 1_000 }] });
  });

  it("is listed for each chain, with how far it was read", async () => {
    const chain = `read-${made}`;
    await sql(
      `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
       VALUES ($1, 31337, '0x1', '0x2', 9, '0x9', 9, 1)`,
      [chain],
    );
    const troubleOf = async () => (await list()).chains.find((each) => each.chain === chain)?.trouble;
    expect(await troubleOf()).toBeNull();
    const cause = "its node does not answer as it should, so deposits and withdrawals wait";
    world.setHealth({
      ready: true,
      accepting: true,
      degraded: [{ part: `chain ${chain}`, since: 1n as Instant, cause }],
    });
    expect(await troubleOf()).toBe(cause);
  });
});

describe("an incident that blocks nothing", () => {
  it("is closed once by one person with a reason, and opens again if it happens again", async () => {
    const incident = (await open("missed_transfer", `deposit ${made}`, memberId))!;
    const wish = { incidentId: idOf(incident), reason: "Credited, told the node's operator" };
    expect((await world.call("incident/close", wish, as("compliance-1"))).status).toBe(403);
    expect((await world.call("incident/close", { ...wish, reason: "" }, as("finance-1"))).status).toBe(400);
    // There is nothing to propose.
    expect((await propose(incident)).status).toBe(409);
    const closed = await world.call("incident/close", wish, as("finance-1"));
    expect(closed.body.data).toMatchObject({ closed: { by: { login: "finance-1" }, reason: wish.reason }, holds: [] });
    expect((await world.call("incident/close", wish, as("finance-2"))).status).toBe(409);
    const again = await open("missed_transfer", `deposit ${made}`, memberId);
    expect(again).not.toBeNull();
    expect(await open("missed_transfer", `deposit ${made}`, memberId)).toBeNull();
    const lists = await Promise.all(
      (["open", "closed"] as const).map((state) => world.call("incident/list", { state }, as("auditor-1"))),
    );
    const ids = lists.map(({ body }) =>
      (body.data as { incidents: Incident[] }).incidents.map((each) => each.incidentId),
    );
    expect(ids[0]).toContain(idOf(again!));
    expect(ids[0]).not.toContain(idOf(incident));
    expect(ids[1]).toContain(idOf(incident));
  });
});

describe("a freeze of a member's withdrawals", () => {
  it("is lifted by two people, who are both in the audit trail", async () => {
    const incident = await frozen();
    const alone = await world.call(
      "incident/close",
      { incidentId: idOf(incident), reason: "by myself" },
      as("finance-1"),
    );
    expect(alone.status).toBe(409);
    const { proposalId } = await propose(incident);
    expect((await propose(incident, "finance-2")).status).toBe(409);
    expect((await decide("approve", proposalId, "finance-1")).status).toBe(403);
    expect((await decide("approve", proposalId, "compliance-1")).status).toBe(403);
    expect(await isFrozen()).toBe(true);
    const lifted = await decide("approve", proposalId, "admin-1");
    expect(lifted.body.data).toMatchObject({
      holds: [],
      memberId: formatId("member", memberId as MemberId),
      closed: { by: { login: "admin-1" }, reason: "Looked as well" },
      proposal: { state: "approved", madeBy: { login: "finance-1" } },
    });
    expect(await isFrozen()).toBe(false);
    expect((await decide("approve", proposalId, "finance-2")).status).toBe(409);
    const kept = await sql<{ action: string; outcome: string }>(
      "SELECT action, outcome FROM audit_trail WHERE subject = ANY($1) AND outcome = 'done' ORDER BY audit_no",
      [[idOf(incident), proposalId]],
    );
    expect(kept.map(({ action }) => action)).toEqual(["incident/propose", "incident/approve"]);
  });

  it("stays if the proposal is rejected, and can be proposed again; the member's other freeze stays too", async () => {
    const incident = await frozen();
    const first = await propose(incident);
    expect((await decide("reject", first.proposalId, "finance-2")).status).toBe(200);
    expect(await isFrozen()).toBe(true);
    made += 1;
    const other = await frozen();
    const second = await propose(incident);
    expect((await decide("approve", second.proposalId, "finance-2")).status).toBe(200);
    expect(await isFrozen()).toBe(true);
    const third = await propose(other);
    expect((await decide("approve", third.proposalId, "finance-2")).status).toBe(200);
    expect(await isFrozen()).toBe(false);
  });

  it("is enforced by the database, whatever the server does", async () => {
    const incident = await frozen();
    const { proposalId } = await propose(incident);
    const db = world.context.databases.console;
    const [own] = await sql<{ session_id: string; proposal_id: string }>(
      "SELECT made_session AS session_id, proposal_id FROM proposals ORDER BY proposal_id DESC LIMIT 1",
    );
    await expect(db.query("SELECT close_incident($1, $2, 'by one')", [own!.session_id, incident])).rejects.toThrow(
      /two people/,
    );
    await expect(db.query("SELECT lift_incident($1)", [own!.proposal_id])).rejects.toThrow(/no approved incident/);
    for (const statement of [
      "UPDATE withdrawal_freezes SET lifted_at = 1",
      "UPDATE incidents SET closed_at = 1",
      "UPDATE payout_wallets SET stopped_at = NULL",
    ]) {
      await expect(db.query(statement)).rejects.toMatchObject({ code: "42501" });
    }
    expect((await decide("reject", proposalId, "finance-1")).status).toBe(200);
  });
});

describe("a stopped paying wallet", () => {
  it("is not released for a reason that the proposer hasn't seen", async () => {
    const { incident, stopped } = await stoppedWallet();
    const first = await propose(incident);
    const db = world.context.databases.payout;
    const [row] = await sql<{ instance_id: number }>(
      "SELECT instance_id FROM payout_wallets WHERE stopped_at IS NOT NULL",
    );
    const stop = (why: string) =>
      db.query<{ fresh: boolean }>("SELECT stop_payout_wallet($1, $2, 'test', $3, 9) AS fresh", [
        row?.instance_id,
        WALLET,
        why,
      ]);
    expect(await stop("nonce 5")).toEqual([{ fresh: true }]);
    // The same reason again, as each payout round may report it.
    expect(await stop("nonce 5")).toEqual([{ fresh: false }]);
    expect(await stop("nonce 4")).toEqual([{ fresh: false }]);
    expect((await decide("approve", first.proposalId, "finance-2")).status).toBe(409);
    expect(await stopped()).toBe(true);
    expect(await sql("SELECT detail ->> 'reason' AS reason FROM incidents WHERE incident_id = $1", [incident])).toEqual(
      [{ reason: "nonce 4\nnonce 5" }],
    );
    expect((await decide("reject", first.proposalId, "finance-2")).status).toBe(200);
    const second = await propose(incident);
    expect((await decide("approve", second.proposalId, "finance-2")).status).toBe(200);
    expect(await stopped()).toBe(false);
    await expect(db.query("UPDATE payout_wallets SET stopped_at = NULL")).rejects.toMatchObject({ code: "42501" });
  });

  it("pays again once two people have agreed, and can stop again with a new incident", async () => {
    const { incident, stopped } = await stoppedWallet();
    const { proposalId } = await propose(incident, "admin-1");
    const shown = await world.call("incident/list", {}, as("auditor-1"));
    expect((shown.body.data as { incidents: Incident[] }).incidents).toContainEqual(
      expect.objectContaining({ incidentId: idOf(incident), holds: ["wallet"] }),
    );
    expect((await decide("approve", proposalId, "admin-1")).status).toBe(403);
    expect(await stopped()).toBe(true);
    expect((await decide("approve", proposalId, "finance-1")).status).toBe(200);
    expect(await stopped()).toBe(false);
    const [row] = await sql<{ subject: string }>("SELECT subject FROM incidents WHERE incident_id = $1", [
      String(incident),
    ]);
    expect(await open("payout_stopped", row!.subject)).not.toBeNull();
  });
});
