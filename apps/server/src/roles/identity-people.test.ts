import { formatPrefixedId, type MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readVip } from "../features/members/index.ts";
import { identityWorld } from "./identity-world.ts";

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
  const infoOf = async (id: MemberId) => readVip(world().context.databases.sessions, id);

  it("are assigned by operators, from those of support who say when they are there, and shown with their hours", async () => {
    const { id, memberId, caseId } = await newCase();
    const people = async () =>
      (await world().call("vip/list", {}, as("auditor-1"))).body.data as {
        operatorId: string;
        login: string;
        hours: string;
      }[];
    const [support] = await people();
    expect(support).toMatchObject({ login: "support-1", hours: null });
    const { operatorId } = support!;
    // Not yet verified; then verified, yet his hours are not known.
    expect((await assign(memberId, operatorId)).status).toBe(409);
    await approve(caseId, "compliance-1");
    expect((await assign(memberId, operatorId)).status).toBe(409);
    expect((await world().call("vip/setHours", { hours: "always" }, as("support-1"))).status).toBe(400);
    expect((await world().call("vip/setHours", { hours: "Mo-Fr 08:00-16:00" }, as("support-1"))).status).toBe(200);
    expect((await people())[0]).toMatchObject({ hours: "Mo-Fr 08:00-16:00" });
    expect(await infoOf(id)).toBeNull();
    told.length = 0;
    expect((await assign(memberId, operatorId)).status).toBe(200);
    expect(told).toEqual([id]);
    expect(await infoOf(id)).toEqual({ manager: { name: "support-1", hours: "Mo-Fr 08:00-16:00" } });
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

  it("are of support, and nobody else's", async () => {
    const { memberId, caseId } = await newCase();
    await approve(caseId, "compliance-1");
    const [finance] = await sql<{ operator_id: string }>("SELECT operator_id FROM operators WHERE login = 'finance-1'");
    expect((await assign(memberId, formatPrefixedId("opr", BigInt(finance!.operator_id)))).status).toBe(409);
    expect((await assign(memberId, "opr_nobody")).status).toBe(404);
  });
});
