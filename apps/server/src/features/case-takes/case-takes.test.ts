import type { Instant, MemberId } from "@fairtick/domain";
import type { CaseTaken } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import type { OperatorSession } from "../../platform/console/index.ts";
import { identityWorld } from "../../testing/identity-world.ts";
import { listTakes, releaseTake, TAKE_MS, takeCase } from "./take-case.ts";

const { open, close, world, as, newCase, approve, reject, detail, sql } = identityWorld();
beforeAll(open);
afterAll(close);

const QUEUE = "identities";
const take = (caseNo: string, login: string, queue: string = QUEUE) =>
  world().call("case/take", { queue, caseNo }, as(login));
const giveBack = (caseNo: string, login: string) => world().call("case/giveBack", { queue: QUEUE, caseNo }, as(login));
const takenBy = async (caseNo: string, login = "auditor-1") => {
  const { body } = await world().call("case/list", { queue: QUEUE }, as(login));
  return (body.data as CaseTaken[]).find((taken) => taken.caseNo === caseNo)?.by.login ?? null;
};

/** Reads an operator's newest session, as their calls have it. */
async function sessionOf(login: string): Promise<OperatorSession> {
  const [row] = await sql<{ session_id: string; operator_id: string; name: string }>(
    `SELECT s.session_id::text, o.operator_id::text, o.name FROM operator_sessions s JOIN operators o USING (operator_id)
     WHERE o.login = $1 AND s.ended_at IS NULL ORDER BY s.session_id DESC LIMIT 1`,
    [login],
  );
  if (row === undefined) throw new Error(`${login} has no session`);
  const [sessionId, operatorId] = [BigInt(row.session_id), BigInt(row.operator_id)];
  return {
    sessionId,
    operatorId,
    login,
    name: row.name,
    roles: ["compliance"],
    verified: true,
    expiresAt: 0n as Instant,
  };
}

describe("taking a case", () => {
  it("shows everyone who may list the queue who has it, and until when", async () => {
    const { caseId } = await newCase();
    expect(await takenBy(caseId)).toBeNull();
    const before = Date.now();
    const { status, body } = await take(caseId, "compliance-1");
    expect(status).toBe(200);
    const taken = body.data as CaseTaken;
    expect(taken).toMatchObject({ caseNo: caseId, by: { login: "compliance-1" } });
    expect(taken.until - before).toBeGreaterThan(590_000);
    expect(taken.until - Date.now()).toBeLessThanOrEqual(600_000);
    expect(await takenBy(caseId, "compliance-2")).toBe("compliance-1");
    expect(await takenBy(caseId, "auditor-1")).toBe("compliance-1");
  });

  it("is refused while someone else has it, naming them, and works once they give it back", async () => {
    const { caseId } = await newCase();
    await take(caseId, "compliance-1");
    const refused = await take(caseId, "compliance-2");
    expect(refused.status).toBe(409);
    expect(refused.body.data).toMatchObject({ error: "CONFLICT", params: { by: "compliance-1" } });
    await giveBack(caseId, "compliance-2");
    expect(await takenBy(caseId)).toBe("compliance-1");
    expect((await giveBack(caseId, "compliance-1")).status).toBe(200);
    expect(await takenBy(caseId)).toBeNull();
    expect((await take(caseId, "compliance-2")).status).toBe(200);
  });

  it("succeeds for one of two operators who try at once, in each of twenty races", async () => {
    const { caseId } = await newCase();
    for (let race = 0; race < 20; race += 1) {
      const answers = await Promise.all([take(caseId, "compliance-1"), take(caseId, "compliance-2")]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const winner = answers[0]?.status === 200 ? "compliance-1" : "compliance-2";
      expect(await takenBy(caseId)).toBe(winner);
      await giveBack(caseId, winner);
    }
  });

  it("ends after ten minutes, and starts again when the same operator takes it again", async () => {
    const { caseId: caseNo } = await newCase();
    const db = world().context.databases.console;
    const [first, second] = [await sessionOf("compliance-1"), await sessionOf("compliance-2")];
    const of = { queue: QUEUE, caseNo } as const;
    const start = systemClock.now();
    const at = (ms: bigint) => (start + ms) as Instant;
    const holder = async (ms: bigint) =>
      (await listTakes(db, QUEUE, at(ms))).find((one) => one.caseNo === caseNo)?.by.login;

    expect((await takeCase(db, first, of, start)).ok).toBe(true);
    expect(await holder(TAKE_MS - 1n)).toBe("compliance-1");
    expect(await holder(TAKE_MS)).toBeUndefined();
    expect(await takeCase(db, second, of, at(TAKE_MS - 1n))).toMatchObject({
      ok: false,
      refusal: { error: "CONFLICT", params: { by: "compliance-1", until: Number(start + TAKE_MS) } },
    });
    expect(await takeCase(db, first, of, at(60_000n))).toMatchObject({
      value: { until: Number(at(60_000n) + TAKE_MS) },
    });
    expect((await takeCase(db, second, of, at(TAKE_MS))).ok).toBe(false);
    expect(await takeCase(db, second, of, at(60_000n + TAKE_MS))).toMatchObject({
      value: { by: { login: "compliance-2" } },
    });
    await releaseTake(db, second, of);
  });

  it("ends with the operator's own decision, but not with a colleague's", async () => {
    const decided = await newCase();
    await take(decided.caseId, "compliance-1");
    expect((await approve(decided.caseId, "compliance-1")).status).toBe(200);
    expect(await takenBy(decided.caseId)).toBeNull();

    const other = await newCase();
    await take(other.caseId, "compliance-1");
    expect((await reject(other.caseId, "compliance-2")).status).toBe(200);
    expect((await detail(other.caseId)).state).toBe("rejected");
    expect(await takenBy(other.caseId)).toBe("compliance-1");
  });

  it("stays after a decision that was refused", async () => {
    const { caseId } = await newCase();
    await take(caseId, "compliance-1");
    expect((await approve(caseId, "compliance-1", "1980-01-01")).status).toBe(200);
    expect(await takenBy(caseId)).toBeNull();
    await take(caseId, "compliance-1");
    expect((await approve(caseId, "compliance-1", "not a date")).status).toBe(400);
    expect(await takenBy(caseId)).toBe("compliance-1");
  });

  it("is refused for a case that isn't open or doesn't exist, and to everyone who can't decide it", async () => {
    const { caseId } = await newCase();
    await reject(caseId, "compliance-1");
    expect((await take(caseId, "compliance-1")).status).toBe(404);
    expect((await take("idn_0000000000000", "compliance-1")).status).toBe(404);
    expect((await take("made up", "compliance-1")).status).toBe(400);
    const { caseId: opened } = await newCase();
    expect((await take(opened, "finance-1")).status).toBe(403);
    expect((await take(opened, "auditor-1")).status).toBe(403);
    const seen = await world().call("case/list", { queue: QUEUE }, as("finance-1"));
    expect(seen.status).toBe(403);
  });

  it("leaves no row in the audit trail, so that it doesn't read like a decision", async () => {
    const rows = await sql("SELECT 1 FROM audit_trail WHERE action LIKE 'case/%' AND outcome = 'done'");
    expect(rows).toEqual([]);
  });
});

describe("the other queues", () => {
  it("let deposits and withdrawals that wait be taken", async () => {
    const memberId = (await world().builder.createMember({ real: 1_000_000_000n })) as MemberId;
    await sql(
      `INSERT INTO deposits (deposit_id, member_id, method, stage, stage_at, amount, created_at) VALUES (77, $1, 'bank', 'in_review', 1, 1000000, 1)`,
      [memberId],
    );
    const listed = await world().call("deposit/list", { state: "waiting" }, as("finance-1"));
    const [deposit] = (listed.body.data as { items: { depositNo: string }[] }).items;
    expect((await take(deposit!.depositNo, "finance-1", "deposits")).status).toBe(200);
    expect((await take(deposit!.depositNo, "support-1", "deposits")).status).toBe(409);
    expect((await take(deposit!.depositNo, "finance-1", "withdrawals")).status).toBe(404);
  });
});
