import { formatPrefixedId, type MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readVip } from "../members/index.ts";
import { identityWorld } from "../../testing/identity-world.ts";

const desk = identityWorld();
const { world, told, as, newCase, approve, sql } = desk;
beforeAll(() => desk.open());
afterAll(() => desk.close());

describe("the people of a verified member", () => {
  const assign = (memberId: string, operatorId: string | undefined, login = "support-1", post = "manager") =>
    world().call(
      "member/assignVip",
      { memberId, post, reason: "Asked for it", ...(operatorId && { operatorId }) },
      as(login),
    );
  const infoOf = async (id: MemberId) =>
    readVip(world().context.databases.sessions, id, world().context.config.supportHours);
  const people = async () =>
    (await world().call("vip/list", {}, as("auditor-1"))).body.data as {
      operatorId: string;
      login: string;
      hours: string;
      members: number;
    }[];
  const messagesOf = (id: MemberId) =>
    sql<{ params: object }>(
      "SELECT params FROM member_messages WHERE member_id = $1 AND message_key = 'vipAssigned' ORDER BY message_id",
      [id],
    );

  it("are assigned when the identity is verified: a manager and an analyst of support, and the member is told who they are", async () => {
    const { id, caseId } = await newCase();
    expect(await infoOf(id)).toBeNull();
    await approve(caseId, "compliance-1");
    const hours = "Mo-Fr 08:00-20:00";
    expect(await infoOf(id)).toEqual({
      manager: { name: "support-1", hours },
      analyst: { name: "support-2", hours },
    });
    expect((await messagesOf(id)).map(({ params }) => params)).toEqual([
      { manager: "support-1", analyst: "support-2" },
    ]);
    const { rows } = await world().builder.client.query(
      "SELECT v.by_rule, o.login FROM vip_assignments v JOIN operators o ON o.operator_id = v.assigned_by WHERE member_id = $1",
      [id],
    );
    expect(rows).toEqual(Array.from({ length: 2 }, () => ({ by_rule: true, login: "compliance-1" })));
  });

  it("are assigned evenly, people on duty first", async () => {
    for (let made = 0; made < 3; made += 1) await approve((await newCase()).caseId, "compliance-1");
    expect((await people()).map(({ login, members }) => [login, members])).toEqual([
      ["support-1", 4],
      ["support-2", 4],
    ]);
    // support-1 works on yesterday's weekday only, and is therefore off duty today.
    const yesterday = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"][(new Date().getUTCDay() + 5) % 7];
    expect((await world().call("vip/setHours", { hours: `${yesterday} 08:00-09:00` }, as("support-1"))).status).toBe(
      200,
    );
    await sql(
      "INSERT INTO operator_hours (operator_id, hours, set_at) SELECT operator_id, '24/7', 1 FROM operators WHERE login = 'support-2'",
    );
    const { id, caseId } = await newCase();
    await approve(caseId, "compliance-1");
    expect(await infoOf(id)).toMatchObject({
      manager: { name: "support-2", hours: "24/7" },
      analyst: { name: "support-2" },
    });
    await sql("DELETE FROM operator_hours");
  });

  it("are changed by operators, and shown with the hours they set", async () => {
    const { id, memberId, caseId } = await newCase();
    const [support] = await people();
    expect(support).toMatchObject({ login: "support-1", hours: null });
    const { operatorId } = support!;
    // Not yet verified.
    expect((await assign(memberId, operatorId)).status).toBe(409);
    await approve(caseId, "compliance-1");
    expect((await world().call("vip/setHours", { hours: "always" }, as("support-1"))).status).toBe(400);
    expect((await world().call("vip/setHours", { hours: "Mo-Fr 08:00-16:00" }, as("support-1"))).status).toBe(200);
    expect((await people())[0]).toMatchObject({ hours: "Mo-Fr 08:00-16:00" });
    expect((await world().call("vip/setHours", {}, as("support-1"))).status).toBe(200);
    expect((await people())[0]).toMatchObject({ hours: null });
    expect((await world().call("vip/setHours", { hours: "Mo-Fr 08:00-16:00" }, as("support-1"))).status).toBe(200);
    for (const post of ["manager", "analyst"])
      expect((await assign(memberId, undefined, "support-1", post)).status).toBe(200);
    expect(await infoOf(id)).toBeNull();
    told.length = 0;
    expect((await assign(memberId, operatorId)).status).toBe(200);
    expect(told).toEqual([id]);
    expect(await infoOf(id)).toEqual({ manager: { name: "support-1", hours: "Mo-Fr 08:00-16:00" } });
    expect((await messagesOf(id)).at(-1)).toEqual({ params: { manager: "support-1", analyst: "–" } });
    expect((await assign(memberId, operatorId, "admin-1", "analyst")).status).toBe(200);
    expect((await assign(memberId, operatorId, "compliance-1")).status).toBe(403);
    const detailed = (await world().call("member/detail", { memberId }, as("support-1"))).body.data;
    expect(detailed).toMatchObject({
      identityState: "verified",
      manager: { login: "support-1" },
      analyst: { login: "support-1" },
    });
    expect((await assign(memberId, undefined)).status).toBe(200);
    expect(await infoOf(id)).toEqual({ analyst: { name: "support-1", hours: "Mo-Fr 08:00-16:00" } });
  });

  it("are named to the member as long as they belong to support, as the member's screen shows them", async () => {
    const { id, memberId, caseId } = await newCase();
    await approve(caseId, "compliance-1");
    const [first, second] = await people();
    expect((await assign(memberId, second!.operatorId, "admin-1", "analyst")).status).toBe(200);
    const ofSecond = "operator_id = (SELECT operator_id FROM operators WHERE login = 'support-2') AND role = 'support'";
    const [role] = await sql<Record<string, unknown>>(`SELECT * FROM operator_roles WHERE ${ofSecond}`);
    await sql(`DELETE FROM operator_roles WHERE ${ofSecond}`);
    expect((await assign(memberId, first!.operatorId, "admin-1")).status).toBe(200);
    expect((await messagesOf(id)).at(-1)).toEqual({ params: { manager: "support-1", analyst: "–" } });
    expect(await infoOf(id)).not.toHaveProperty("analyst");
    await sql(`INSERT INTO operator_roles SELECT * FROM json_populate_record(null::operator_roles, $1::json)`, [
      JSON.stringify(role),
    ]);
  });

  it("must belong to support", async () => {
    const { memberId, caseId } = await newCase();
    await approve(caseId, "compliance-1");
    const [finance] = await sql<{ operator_id: string }>("SELECT operator_id FROM operators WHERE login = 'finance-1'");
    expect((await assign(memberId, formatPrefixedId("opr", BigInt(finance!.operator_id)))).status).toBe(409);
    expect((await assign(memberId, "opr_nobody")).status).toBe(404);
  });
});
