import { formatId, type MemberId } from "@fairtick/domain";
import { LANGUAGE_CODES } from "@fairtick/i18n";
import type { Announcement } from "@fairtick/protocol/operator";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countUnreadNotices, readFreshNotices } from "../notices/index.ts";
import { openConsoleStream } from "../../testing/console-stream.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
let support: string;
let auditor: string;
beforeAll(async () => {
  world = await createConsoleWorld();
  support = await world.logIn("support-1");
  auditor = await world.logIn("auditor-1");
});
afterAll(() => world.close());

const reason = "Agreed with the house";
const texts = LANGUAGE_CODES.map((language) => ({
  language,
  title: `Hours, ${language}`,
  body: `## Soon\n${language}`,
}));
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a call answers is said where it is made
const call = async <Data = Announcement>(path: string, body: object, cookie = support) => {
  const { status, body: answer } = await world.call(`notice/${path}`, body, cookie);
  return { status, data: answer.data as unknown as Data };
};
const draft = async (more: object = {}) => (await call("save", { texts, ...more })).data;
const shownTitles = async () =>
  (await readFreshNotices(world.context, [])).map((notice) => notice.inLanguage("de").title);

describe("an announcement", () => {
  it("is a draft until it is published, in all ten languages, and then can't be changed", async () => {
    const half = (
      await call("save", { texts: texts.slice(0, 9).concat({ language: "fr", title: "Sans corps", body: "" }) })
    ).data;
    expect(half).toMatchObject({ state: "draft", savedBy: { login: "support-1" } });
    const refused = await call<{ fields: object }>("publish", { noticeId: half.noticeId, reason });
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.data.fields)).toEqual(["fr"]);
    expect(await shownTitles()).toEqual([]);

    const { noticeId } = (await call("save", { noticeId: half.noticeId, texts })).data;
    expect(noticeId).toBe(half.noticeId);
    const preview = await call<{ title: string }>("preview", { noticeId, language: "han" }, auditor);
    expect(preview.data).toMatchObject({ title: "Hours, han", body: "## Soon\nhan" });
    const published = await call("publish", { noticeId, reason });
    expect(published.data).toMatchObject({ state: "shown", publishedBy: { login: "support-1" } });
    expect(await shownTitles()).toEqual(["Hours, de"]);
    expect((await call("save", { noticeId, texts })).status).toBe(409);
    expect((await call("publish", { noticeId, reason })).status).toBe(409);

    const withdrawn = await call("withdraw", { noticeId, reason: "Wrong day" });
    expect(withdrawn.data).toMatchObject({ state: "withdrawn", withdrawReason: "Wrong day" });
    expect((await call("withdraw", { noticeId, reason })).status).toBe(409);
    expect(await shownTitles()).toEqual([]);
  });

  it("isn't shown before its day", async () => {
    const later = await draft({ publishAt: String(Date.now() + 60_000), endsAt: String(Date.now() + 120_000) });
    expect((await call("publish", { noticeId: later.noticeId, reason })).data.state).toBe("scheduled");
    expect(await shownTitles()).not.toContain("Hours, de");
    const backwards = await call<{ fields: object }>("save", { texts, publishAt: "2000", endsAt: "1000" });
    expect([backwards.status, backwards.data.fields]).toEqual([
      400,
      expect.objectContaining({ endsAt: expect.anything() }),
    ]);
  });

  it("is listed by state, can be written only by support, and leaves rows in the audit trail", async () => {
    const { noticeId } = await draft();
    const list = async (state: string) =>
      (await call<{ items: Announcement[] }>("list", { state }, auditor)).data.items.map((each) => each.noticeId);
    expect(await list("drafts")).toContain(noticeId);
    expect(await list("published")).not.toContain(noticeId);
    for (const path of ["save", "publish", "withdraw", "message"])
      expect((await call(path, { noticeId, texts, reason }, auditor)).status).toBe(403);
    await call("publish", { noticeId, reason });
    const { rows } = await world.builder.client.query(
      "SELECT action, reason FROM audit_trail WHERE subject = $1 AND outcome = 'done' ORDER BY audit_no",
      [noticeId],
    );
    expect(rows).toEqual([
      { action: "notice/save", reason: null },
      { action: "notice/publish", reason },
    ]);
    expect((await call("publish", { noticeId: "ann_0000000000000", reason })).status).toBe(404);
  });

  it("appears on and disappears from open sockets, each announced once", async () => {
    const stream = await openConsoleStream(world);
    const heard = await stream.listen(null, "announcements");
    const published = async (more = {}) => {
      const one = await draft(more);
      await call("publish", { noticeId: one.noticeId, reason });
      return one;
    };
    const over = await published({ endsAt: String(Date.now() + 6_000) });
    const taken = await published();
    const told = (noticeId: string) =>
      heard.flatMap((message) => {
        if (message.t === "announcement" && message.d.noticeId === noticeId) return ["came"];
        return message.t === "announcementGone" && message.noticeId === noticeId ? ["gone"] : [];
      });
    await waitUntil("the announcement", () => told(taken.noticeId).length > 0);
    await call("withdraw", { noticeId: taken.noticeId, reason: "Wrong day" });
    await waitUntil("both are gone", () => [taken, over].every(({ noticeId }) => told(noticeId).includes("gone")));
    // The check after the next one announces nothing again.
    const kept = await published();
    await waitUntil("the one after", () => told(kept.noticeId).length > 0);
    expect(told(taken.noticeId)).toEqual(["came", "gone"]);
    expect(told(over.noticeId).filter((what) => what === "gone")).toEqual(["gone"]);
    expect(told(kept.noticeId)).toEqual(["came"]);
    await call("withdraw", { noticeId: kept.noticeId, reason });
    await stream.close();
  });
});

describe("a message from an operator", () => {
  it("reaches its member as written", async () => {
    const id = (await world.builder.createMember()) as MemberId;
    const memberId = formatId("member", id);
    const message = { memberId, title: "About your question", body: "It is **settled**.", reason };
    expect((await call("message", message)).status).toBe(200);
    expect(await countUnreadNotices(world.context.databases.reader, id)).toMatchObject({ notices: 1 });
    const [fresh] = await readFreshNotices(world.context, [id]).then((all) => all.filter((one) => one.memberId === id));
    expect(fresh?.inLanguage("fr")).toMatchObject({ kind: "message", title: "About your question", read: false });
    expect((await call("message", { ...message, memberId: "usr_0000000000000" })).status).toBe(404);
  });
});
