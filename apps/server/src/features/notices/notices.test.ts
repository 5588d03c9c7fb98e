import { type MemberId } from "@fairtick/domain";
import { LANGUAGE_CODES } from "@fairtick/i18n";
import type { Notice } from "@fairtick/protocol";
import { createBuilder, type Builder } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DatabaseRole } from "../../platform/database.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { listNotices, readNotice } from "./list-notices.ts";
import { countUnreadNotices, markRead } from "./mark-read.ts";
import { readFreshNotices } from "./read-fresh-notices.ts";
import { type MessageKey, type MessageParams, tellMember } from "./tell-member.ts";

let context: TestContext;
let build: Builder;
beforeAll(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
  await build.client.query(
    "INSERT INTO operators (operator_id, login, name, created_at) VALUES (1, 'writer', 'Writer', 0)",
  );
});
afterAll(async () => {
  await build.end();
  await context.close();
});

const newMember = async () => (await build.createMember()) as MemberId;
const list = async (memberId: MemberId | null, kind: Notice["kind"] = "message", page = {}) => {
  const listed = await listNotices(context, { memberId, lang: "en" }, { kind, ...page });
  if (!listed.ok) throw new Error(listed.refusal.error);
  return listed.value;
};
const unread = (memberId: MemberId) => countUnreadNotices(context.databases.reader, memberId);

/** Publishes an announcement, shown from now or from and until other times, in ms from now. */
async function announce(title: string, dates: { from?: number; until?: number } = {}): Promise<void> {
  const now = await build.now();
  const { rows } = await build.client.query<{ announcement_id: string }>(
    `INSERT INTO announcements (saved_by, saved_at, publish_at, ends_at, published_by, published_at)
     VALUES (1, $1, $2, $3, 1, $1) RETURNING announcement_id`,
    [now, now + BigInt(dates.from ?? 0), dates.until === undefined ? null : now + BigInt(dates.until)],
  );
  await build.client.query(
    "INSERT INTO announcement_texts SELECT $1, unnest($2::text[]), unnest($2::text[]) || ': ' || $3, 'All of it'",
    [rows[0]?.announcement_id, LANGUAGE_CODES, title],
  );
}

const SAMPLES: MessageParams = {
  depositCredited: { amount: "1234.50", depositNo: "dep_1" },
  depositFailed: { amount: "20.00", depositNo: "dep_1", reason: "The receipt cannot be read." },
  depositReturned: { amount: "100.00", depositNo: "dep_1" },
  depositReversed: { amount: "100.00", depositNo: "dep_1", owed: "40.00", reason: "The bank returned it." },
  depositExpired: { amount: "100.00", depositNo: "dep_1" },
  depositBelowMinimum: { amount: "1.250000", minimum: "5.000000", depositNo: "dep_1" },
  depositWrongToken: { depositNo: "dep_1" },
  withdrawalRequested: { amount: "100.00", withdrawNo: "wdr_1" },
  withdrawalAddressAdded: { address: "0x52908400098527886E0F7030069857D2E4169EE7", chain: "tron" },
  withdrawalPaid: { amount: "100.00", receives: "99.000000", withdrawNo: "wdr_1" },
  withdrawalShort: {
    amount: "100.00",
    receives: "99.00",
    arrived: "98.010000",
    returned: "0.99",
    withdrawNo: "wdr_1",
  },
  withdrawalCanceled: { amount: "100.00", withdrawNo: "wdr_1", reason: "The address belongs to an exchange." },
  withdrawalTakenBack: { amount: "100.00", withdrawNo: "wdr_1" },
  withdrawalEndedForDebt: { amount: "100.00", withdrawNo: "wdr_1" },
  identitySubmitted: {},
  identityVerified: {},
  vipAssigned: { manager: "support-1", analyst: "support-2" },
  identityRejected: { reason: "The photo is blurred." },
  identityRevoked: { reason: "The document was reported stolen." },
  identityExpiring: { day: "2027-03-01" },
  identityExpired: { day: "2027-03-01" },
  loginPasswordChanged: {},
  loginPasswordReset: {},
  tradePasswordSet: {},
  tradePasswordChanged: {},
  tradePasswordReset: {},
  withdrawalsFrozen: {},
  freezeLifted: { until: "2027-03-01T12:30:00.000Z" },
  withdrawalsRest: { until: "2027-03-01T12:30:00.000Z" },
  withdrawalsRestUnprotected: { until: "2027-03-01T12:30:00.000Z" },
  authenticatorAdded: {},
  authenticatorRemoved: {},
  orderDeviceAdded: { device: "Firefox on Linux" },
  passkeyAdded: {},
  passkeyRemoved: {},
  recoveryCodesMade: {},
  secondFactorOpened: {},
  newDevice: { device: "Chrome · Android", place: "203.0.113.x" },
  sessionMoved: { device: "Chrome · Android", place: "203.0.113.x" },
  tooManySessions: { device: "Chrome · Android", place: "203.0.113.x" },
  accountSuspended: { reason: "Used by somebody else." },
  suspensionLifted: {},
};

describe("a message to a member", () => {
  it.each(Object.keys(SAMPLES) as MessageKey[])("has words for all its figures in every language: %s", async (key) => {
    const memberId = await newMember();
    await context.databases.money.transaction((db) => tellMember(db, memberId, key, SAMPLES[key]));
    const [{ noticeId } = { noticeId: "" }] = (await list(memberId)).items;
    const titles = new Set<string>();
    for (const lang of LANGUAGE_CODES) {
      const read = await readNotice(context, { memberId, lang }, noticeId);
      if (!read.ok) throw new Error(read.refusal.error);
      const { title, body } = read.value;
      expect(`${title} ${body}`).not.toMatch(/[{}]/);
      const asTheyAre = Object.entries<string>(SAMPLES[key]).filter(
        ([name]) => !/amount|receives|minimum|owed|arrived|returned|day|until/.test(name),
      );
      for (const [, value] of asTheyAre) expect(`${title} ${body}`).toContain(value);
      titles.add(title);
    }
    expect(titles.size).toBe(LANGUAGE_CODES.length);
  });

  it.each([
    ["depositFailed", { kind: "deposit", depositNo: "dep_1" }],
    ["withdrawalPaid", { kind: "withdrawal", withdrawNo: "wdr_1" }],
    ["identityRejected", { kind: "identity" }],
    ["newDevice", { kind: "security" }],
    ["tooManySessions", { kind: "security" }],
    ["sessionMoved", { kind: "security" }],
    ["accountSuspended", null],
  ] as const)("says what it is about: %s", async (key, about) => {
    const memberId = await newMember();
    await tellMember(context.databases.money, memberId, key, SAMPLES[key]);
    const [{ noticeId } = { noticeId: "" }] = (await list(memberId)).items;
    expect(await readNotice(context, { memberId, lang: "en" }, noticeId)).toMatchObject({ value: { about } });
  });

  it("shows amounts as its reader's language writes them, with every decimal place", async () => {
    const memberId = await newMember();
    await tellMember(context.databases.chain, memberId, "depositCredited", SAMPLES.depositCredited);
    await tellMember(context.databases.chain, memberId, "depositBelowMinimum", SAMPLES.depositBelowMinimum);
    await tellMember(context.databases.money, memberId, "depositReversed", {
      ...SAMPLES.depositReversed,
      owed: "4321.50",
    });
    const { items: all } = await list(memberId);
    const owing = await readNotice(context, { memberId, lang: "de" }, all[0]?.noticeId ?? "");
    expect(owing).toMatchObject({ value: { body: expect.stringContaining("4.321,50") } });
    const items = all.slice(1);
    const german = await readNotice(context, { memberId, lang: "de" }, items[1]?.noticeId ?? "");
    expect(german).toMatchObject({ value: { title: "Einzahlung über 1.234,50 USD gutgeschrieben" } });
    const english = await readNotice(context, { memberId, lang: "en" }, items[0]?.noticeId ?? "");
    expect(english).toMatchObject({ value: { body: expect.stringContaining("1.25 USDT arrived") } });
  });

  it("shows days as its reader's language writes them", async () => {
    const memberId = await newMember();
    await tellMember(context.databases.money, memberId, "identityExpiring", SAMPLES.identityExpiring);
    const [{ noticeId } = { noticeId: "" }] = (await list(memberId)).items;
    const bodyIn = async (lang: "de" | "ri") => {
      const read = await readNotice(context, { memberId, lang }, noticeId);
      return read.ok ? read.value.body : "";
    };
    expect(await bodyIn("de")).toContain("1. März 2027");
    expect(await bodyIn("ri")).toContain("2027年3月1日");
  });

  it("is rolled back together with its event", async () => {
    const memberId = await newMember();
    const failing = context.databases.money.transaction(async (db) => {
      await tellMember(db, memberId, "identityVerified", {});
      throw new Error("the event did not happen");
    });
    await expect(failing).rejects.toThrow("did not happen");
    expect((await list(memberId)).items).toEqual([]);
  });

  it.each(["money", "sessions", "jobs", "chain", "console"] satisfies DatabaseRole[])(
    "can be sent by %s, who can change none",
    async (role) => {
      const memberId = await newMember();
      await tellMember(context.databases[role], memberId, "identityVerified", {});
      expect((await list(memberId)).items).toHaveLength(1);
      for (const statement of [
        "INSERT INTO member_messages (member_id, sent_at, message_key, params) VALUES ($1, 0, 'identityVerified', '{}')",
        "UPDATE member_messages SET sent_at = 0 WHERE member_id = $1",
        "DELETE FROM member_messages WHERE member_id = $1",
      ])
        await expect(context.databases[role].query(statement, [memberId])).rejects.toMatchObject({ code: "42501" });
    },
  );

  it("can't be changed after it was sent, even by the tables' owner", async () => {
    const memberId = await newMember();
    await tellMember(context.databases.money, memberId, "identityVerified", {});
    for (const statement of [
      "UPDATE member_messages SET message_key = 'identityRejected' WHERE member_id = $1",
      "DELETE FROM member_messages WHERE member_id = $1",
    ])
      await expect(build.client.query(statement, [memberId])).rejects.toMatchObject({ code: "42501" });
  });

  it("can be read only by its member", async () => {
    const [mine, other] = [await newMember(), await newMember()];
    await tellMember(context.databases.money, mine, "identityVerified", {});
    const [{ noticeId } = { noticeId: "" }] = (await list(mine)).items;
    const notFound = { ok: false, refusal: { error: "NOT_FOUND" } };
    expect((await list(other)).items).toEqual([]);
    expect(await readNotice(context, { memberId: other, lang: "en" }, noticeId)).toMatchObject(notFound);
    expect(await readNotice(context, { memberId: null, lang: "en" }, noticeId)).toMatchObject(notFound);
    expect(await markRead(context, other, noticeId)).toMatchObject(notFound);
    expect(await listNotices(context, { memberId: null, lang: "en" }, { kind: "message" })).toMatchObject({
      ok: false,
      refusal: { error: "LOGIN_REQUIRED" },
    });
  });

  it("is listed page by page, newest first, each once", async () => {
    const memberId = await newMember();
    for (let sent = 0; sent < 5; sent += 1) await tellMember(context.databases.money, memberId, "identityVerified", {});
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(memberId, "message", {
        limit: 2,
        ...(cursor && { cursor }),
      });
      seen.push(...page.items.map(({ noticeId }) => noticeId));
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual([...seen].sort().reverse());
    expect(
      await listNotices(context, { memberId, lang: "en" }, { kind: "announcement", cursor: seen[0] }),
    ).toMatchObject({
      ok: false,
      refusal: { error: "FIELD_INVALID" },
    });
  });
});

describe("announcements", () => {
  it("are shown in each language from their day to their end", async () => {
    await announce("to come", { from: 60_000 });
    await announce("over", { from: -60_000, until: -1 });
    await announce("older", { from: -1_000 });
    await announce("newest", { until: 60_000 });
    const { items } = await list(null, "announcement");
    expect(items.map(({ title }) => title)).toEqual(["en: newest", "en: older"]);
    const page = await list(null, "announcement", { limit: 1 });
    expect((await list(null, "announcement", { cursor: page.nextCursor })).items).toEqual([items[1]]);
    const italian = await readNotice(context, { memberId: null, lang: "ydl" }, items[0]?.noticeId ?? "");
    expect(italian).toMatchObject({ value: { title: "ydl: newest", body: "All of it" } });
  });

  it("count as news until read, but not for members who registered later", async () => {
    await announce("before", { from: -1_000 });
    const memberId = await newMember();
    const before = await unread(memberId);
    expect(before).toEqual({ notices: 0, messages: 0 });
    await announce("after", { from: 0 });
    await tellMember(context.databases.money, memberId, "identityVerified", {});
    expect(await unread(memberId)).toEqual({ notices: 2, messages: 1 });
    const [after] = (await list(memberId, "announcement")).items;
    const [message] = (await list(memberId)).items;
    expect([after?.read, message?.read]).toEqual([false, false]);
    for (const notice of [after, message, after, message])
      expect(await markRead(context, memberId, notice?.noticeId ?? "")).toMatchObject({ ok: true });
    expect(await unread(memberId)).toEqual({ notices: 0, messages: 0 });
    expect((await list(memberId)).items[0]?.read).toBe(true);
    expect((await list(memberId, "announcement")).items.every(({ read }) => read)).toBe(true);
  });
});

describe("fresh notices", () => {
  it("are those of the last seconds, for everyone or for the given members", async () => {
    const [mine, other] = [await newMember(), await newMember()];
    await announce("long ago", { from: -60_000 });
    await announce("just now");
    await tellMember(context.databases.money, mine, "identityVerified", {});
    await tellMember(context.databases.money, other, "identityVerified", {});
    const fresh = await readFreshNotices(context, [mine]);
    const titles = fresh.map((notice) => [notice.memberId, notice.inLanguage("fr").title]);
    expect(titles).toContainEqual([null, "fr: just now"]);
    expect(titles).toContainEqual([mine, "Identité vérifiée"]);
    expect(titles).not.toContainEqual([null, "fr: long ago"]);
    expect(fresh.some(({ memberId }) => memberId === other)).toBe(false);
  });
});
