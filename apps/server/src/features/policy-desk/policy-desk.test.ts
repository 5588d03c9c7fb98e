import { canonicalJson, type Instant, toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { parseLogEntry } from "@fairtick/transparency";
import type { PolicyProposal, PolicyVersion, RegionEntry } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  FIRST_REGIONS,
  readRegion,
  refuseRegion,
  regionsFromJson,
  regionsToJson,
  seedRegions,
} from "../regions/index.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;

beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["admin-1", "admin-2", "finance-1", "support-1"]) cookies.set(login, await world.logIn(login));
});
afterAll(() => world.close());

interface Listed {
  readonly regions: RegionEntry[];
  readonly versions: PolicyVersion[];
  readonly proposals: PolicyProposal[];
}
const list = async () => (await world.call("region/list", {}, as("support-1"))).body.data as Listed;
const propose = (regions: object[], more: object = {}, login = "admin-1") =>
  world.call("region/propose", { regions, reason: "The law has changed", ...more }, as(login));
const proposalOf = (answer: { body: { data: never } }) => answer.body.data as PolicyProposal;
const decide = (verb: "approve" | "reject", proposalId: string, login: string) =>
  world.call(`region/${verb}`, { proposalId, reason: "Read the gazette" }, as(login));
const newest = async () =>
  (
    await sql<{ version: number; effective_at: string; body: string }>(
      "SELECT version, effective_at, body FROM policies WHERE name = 'regions' ORDER BY version DESC LIMIT 1",
    )
  )[0]!;

describe("the first version of the regions", () => {
  it("is the data file, in force at once, and in the log's outbox", async () => {
    await seedRegions(world.context);
    const { version, body } = await newest();
    expect(version).toBe(1);
    expect(regionsFromJson(body).regions).toEqual([...FIRST_REGIONS.values()]);
    const [stored] = await sql<{ entry: string }>("SELECT entry FROM outbox WHERE kind = 'policy'");
    const parsed = parseLogEntry(utf8(stored!.entry));
    expect(parsed).toMatchObject({ ok: true, entry: { kind: "policy", name: "regions", version: 1 } });
    expect(stored!.entry).toContain(toHex(nodeHashes.sha256(utf8(body))));
    expect(canonicalJson(JSON.parse(stored!.entry))).toBe(stored!.entry);
    expect((await list()).regions).toHaveLength(249);
  });
});

describe("a change of regions", () => {
  it("needs two admins, is in the log before it takes effect, and applies to everyone from its date on", async () => {
    const made = await propose([{ iso2: "BR", policy: "practice", rule: { name: "Resolution 100", year: 2026 } }]);
    expect(made.status).toBe(200);
    const { proposalId, differences, version } = proposalOf(made);
    expect(differences).toEqual([
      { what: "BR policy", before: "full", after: "practice" },
      { what: "BR rule", before: "–", after: "Resolution 100, 2026" },
    ]);
    expect((await decide("approve", proposalId, "admin-1")).status).toBe(403);
    expect((await decide("approve", proposalId, "finance-1")).status).toBe(403);
    const approvedAt = Date.now();
    expect((await decide("approve", proposalId, "admin-2")).status).toBe(200);
    expect((await decide("approve", proposalId, "admin-2")).status).toBe(409);
    const stored = await newest();
    expect(stored.version).toBe(version);
    expect(Number(stored.effective_at) - approvedAt).toBeGreaterThan(4_000);
    const { versions, regions } = await list();
    expect(versions.slice(0, 2)).toMatchObject([
      { version, state: "coming", approvedBy: { login: "admin-2" } },
      { version: 1, state: "current" },
    ]);
    expect(regions.find(({ iso2 }) => iso2 === "BR")?.policy).toBe("full");
    expect(await refuseRegion(world.context.databases.sessions, "BR")).toBeNull();
    const entries = await sql<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'policy' ORDER BY outbox_id DESC",
    );
    expect(JSON.parse(entries[0]!.entry)).toMatchObject({
      name: "regions",
      version,
      effectiveAt: Number(stored.effective_at),
    });
  });

  it("takes effect by its date alone", async () => {
    const before = regionsFromJson((await newest()).body);
    const effectiveAt = BigInt(Date.now() + 60_000) as Instant;
    const regions = before.regions.map((region) => (region.iso2 === "CL" ? { ...region, legalAge: 21 } : region));
    const store = (at: Instant, version: number) =>
      sql("SELECT store_policy('regions', $1)", [regionsToJson({ version, effectiveAt: at, regions })]);
    await store(effectiveAt, before.version + 1);
    const { sessions } = world.context.databases;
    expect((await readRegion(sessions, "CL"))?.legalAge).toBe(18);
    // Store a version whose date has come, as if a minute had passed.
    await store(BigInt(Date.now()) as Instant, before.version + 2);
    expect((await readRegion(sessions, "CL"))?.legalAge).toBe(21);
    expect(await refuseRegion(sessions, "BR")).toEqual({
      error: "REGION_PRACTICE_ONLY",
      params: { rule: "Resolution 100", year: "2026" },
    });
    const member = await world.builder.createMember({ region: "BR" });
    const [row] = await sql<{ policy: string }>(
      "SELECT r.policy FROM members m JOIN region_terms_now r ON r.iso2 = m.region WHERE member_id = $1",
      [String(member)],
    );
    expect(row!.policy).toBe("practice");
  });

  it.each([
    ["an unknown region", [{ iso2: "ZZ", policy: "full" }], {}, 404],
    ["an age below eighteen", [{ iso2: "FR", legalAge: 17 }], {}, 400],
    ["a closed region without its rule", [{ iso2: "CO", policy: "blocked" }], {}, 400],
    ["a region without any product", [{ iso2: "CO", products: [] }], {}, 400],
    ["a change without effect", [{ iso2: "CO", policy: "full" }], {}, 400],
    ["a date in the past", [{ iso2: "CO", legalAge: 20 }], { effectiveAt: "1000" }, 400],
  ])("is refused for %s", async (_what, regions, more, status) => {
    expect((await propose(regions, more)).status).toBe(status);
  });

  it("can be approved after a newer version that didn't change its values", async () => {
    const one = proposalOf(await propose([{ iso2: "CO", deposits: false }]));
    const two = proposalOf(await propose([{ iso2: "PE", products: ["fx"] }], {}, "admin-2"));
    expect(one.version).toBe(two.version);
    expect((await decide("approve", two.proposalId, "admin-1")).status).toBe(200);
    const waiting = (await list()).proposals.find(({ proposalId }) => proposalId === one.proposalId);
    expect(waiting).toMatchObject({ version: two.version + 1, overtaken: [], late: false });
    expect(proposalOf(await decide("approve", one.proposalId, "admin-2"))).toMatchObject({ version: two.version + 1 });
    const { version, body } = await newest();
    expect(version).toBe(two.version + 1);
    const regions = new Map(regionsFromJson(body).regions.map((region) => [region.iso2, region]));
    expect([regions.get("CO")?.deposits, regions.get("PE")?.products]).toEqual([false, ["fx"]]);
    const { versions, proposals } = await list();
    expect(versions[0]).toMatchObject({ version, approvedBy: { login: "admin-2" } });
    expect(versions[0]?.differences).toEqual(one.differences);
    expect(proposals.find(({ proposalId }) => proposalId === one.proposalId)).toMatchObject({ version });
  });

  it("is refused if someone else changed its value, says which one, and can be proposed again", async () => {
    const one = proposalOf(await propose([{ iso2: "UY", legalAge: 20, deposits: false }]));
    const two = proposalOf(await propose([{ iso2: "UY", legalAge: 25 }], {}, "admin-2"));
    expect((await decide("approve", two.proposalId, "admin-1")).status).toBe(200);
    const waiting = (await list()).proposals.find(({ proposalId }) => proposalId === one.proposalId);
    expect(waiting?.overtaken).toEqual([{ what: "UY legalAge", before: "18", after: "25" }]);
    expect((await decide("approve", one.proposalId, "admin-2")).status).toBe(409);
    expect((await newest()).version).toBe(two.version);
    const again = proposalOf(
      await world.call("region/proposeAgain", { proposalId: one.proposalId, reason: "Still wanted" }, as("admin-1")),
    );
    expect(again).toMatchObject({
      state: "waiting",
      overtaken: [],
      differences: [
        { what: "UY deposits", before: "yes", after: "no" },
        { what: "UY legalAge", before: "25", after: "20" },
      ],
    });
    const { proposals } = await list();
    expect(proposals.find(({ proposalId }) => proposalId === one.proposalId)).toMatchObject({ state: "rejected" });
    expect((await decide("approve", again.proposalId, "admin-1")).status).toBe(403);
    expect((await decide("approve", again.proposalId, "admin-2")).status).toBe(200);
  });

  it("can be withdrawn without effect", async () => {
    const { version } = await newest();
    const one = proposalOf(await propose([{ iso2: "PY", deposits: false }]));
    const back = await decide("reject", one.proposalId, "admin-1");
    expect(proposalOf(back)).toMatchObject({ state: "rejected" });
    expect((await newest()).version).toBe(version);
  });

  it("is enforced by the database, whatever the server does", async () => {
    const { console: db, jobs } = world.context.databases;
    const made = proposalOf(await propose([{ iso2: "EC", legalAge: 21 }]));
    const [row] = await sql<{ proposal_id: string; body: string }>(
      "SELECT proposal_id, body FROM proposals ORDER BY proposal_id DESC LIMIT 1",
    );
    const agreed = (JSON.parse(row!.body) as { policy: object }).policy;
    const publish = (policy: object) =>
      db.query("SELECT publish_policy($1, 'regions', $2)", [row!.proposal_id, JSON.stringify(policy)]);
    await expect(publish({ ...agreed, effectiveAt: Date.now() + 20_000 })).rejects.toThrow(/no approved regions/);
    const decided = decide("approve", made.proposalId, "admin-2");
    expect((await decided).status).toBe(200);
    // Only exactly this version is approved: no other text, no earlier date, and only once.
    await expect(publish({ ...agreed, regions: [], effectiveAt: Date.now() + 20_000 })).rejects.toThrow(
      /not what proposal/,
    );
    await expect(publish({ ...agreed, effectiveAt: Date.now() + 20_000 })).rejects.toThrow(/not what proposal/);
    // It can't be published a second time either, after a version that reverted it.
    const undone = proposalOf(await propose([{ iso2: "EC", legalAge: 18 }]));
    expect((await decide("approve", undone.proposalId, "admin-2")).status).toBe(200);
    const { version, body } = await newest();
    const regions = regionsFromJson(body).regions.map((each) =>
      each.iso2 === "EC" ? Object.assign({}, each, { legalAge: 21 }) : each,
    );
    const twice = { version: version + 1, effectiveAt: BigInt(Date.now() + 20_000) as Instant, regions };
    await expect(publish(JSON.parse(regionsToJson(twice)) as object)).rejects.toThrow(/cannot bind/);
    for (const statement of [
      "INSERT INTO policies VALUES ('regions', 99, 1, '{}')",
      "UPDATE policies SET effective_at = 1",
      "SELECT store_policy('regions', '{}')",
      "SELECT seed_policy('regions', '{}')",
    ]) {
      await expect(db.query(statement)).rejects.toMatchObject({ code: "42501" });
    }
    const first = await jobs.query<{ done: boolean }>(
      `SELECT seed_policy('regions', '{"version":1,"effectiveAt":1}') AS done`,
    );
    expect(first[0]?.done).toBe(false);
  });
});
