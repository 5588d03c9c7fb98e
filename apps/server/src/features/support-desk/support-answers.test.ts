import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { formatId, type MemberId } from "@fairtick/domain";
import type { SupportMessage } from "@fairtick/protocol";
import type { CannedAnswer } from "@fairtick/protocol/operator";
import { waitUntil } from "@fairtick/testkit";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimFile, fileRoutes, findFile } from "../files/index.ts";
import { readThread, sayToSupport } from "../support/index.ts";
import { openConsoleStream } from "../../testing/console-stream.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
const cookies: Record<string, string> = {};
beforeAll(async () => {
  world = await createConsoleWorld();
  // Adds a second operator in support.
  await world.builder.client.query(
    "INSERT INTO operator_roles (operator_id, role) SELECT operator_id, 'support' FROM operators WHERE login = 'compliance-1'",
  );
  for (const login of ["support-1", "compliance-1", "auditor-1", "finance-1"])
    cookies[login] = await world.logIn(login);
});
afterAll(() => world.close());

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a call answers is said where it is made
const call = async <Data>(path: string, body: object = {}, login = "support-1") => {
  const { status, body: answer } = await world.call(`support/${path}`, body, cookies[login]);
  return { status, data: answer.data as unknown as Data };
};
let made = 0;
const clientId = () => `client-${(made += 1)}`;
/** Creates a member who has written, since operators can write to no one else. */
const newMember = async () => {
  const id = (await world.builder.createMember()) as MemberId;
  const said = await sayToSupport(world.context, id, { text: "Hello", clientId: clientId() });
  expect(said.ok).toBe(true);
  return { id, memberId: formatId("member", id) };
};

describe("operators' own answers", () => {
  const texts = [
    { language: "en", text: "We are closed on Monday." },
    { language: "de", text: "Am Montag ist geschlossen." },
  ];
  const list = async (login?: string) => (await call<CannedAnswer[]>("canned", {}, login)).data;
  const own = async () => (await list()).filter((each) => each.own !== null);

  it("are written, changed and deleted beside the built-in ones, each step in the audit trail", async () => {
    const builtIn = (await list()).map(({ name }) => name);
    const saved = await call<CannedAnswer>("saveCanned", { title: "Holiday", texts });
    expect(saved.data).toMatchObject({ own: { title: "Holiday", savedBy: { login: "support-1" } }, texts });
    const { name } = saved.data;
    expect((await list()).map((each) => each.name)).toEqual([name, ...builtIn]);

    const shorter = { name, title: "Closed", texts: texts.slice(0, 1) };
    const changed = await call<CannedAnswer>("saveCanned", shorter, "compliance-1");
    expect(changed.data).toMatchObject({ name, own: { title: "Closed", savedBy: { login: "compliance-1" } } });
    expect((await own())[0]?.texts).toEqual(texts.slice(0, 1));

    expect((await call("deleteCanned", { name, reason: "Over" })).status).toBe(200);
    expect(await own()).toEqual([]);
    for (const path of ["saveCanned", "deleteCanned"])
      expect((await call(path, { ...shorter, reason: "again" })).status).toBe(404);
    const { rows } = await world.builder.client.query(
      "SELECT action, reason FROM audit_trail WHERE subject = $1 AND outcome = 'done' ORDER BY audit_no",
      [name],
    );
    expect(rows).toEqual([
      { action: "support/saveCanned", reason: null },
      { action: "support/saveCanned", reason: null },
      { action: "support/deleteCanned", reason: "Over" },
    ]);
  });

  it.each([
    ["without English", { title: "x", texts: [{ language: "de", text: "Hallo" }] }, "texts"],
    ["with empty English", { title: "x", texts: [{ language: "en", text: " " }] }, "texts"],
    ["without a title", { title: " ", texts }, "title"],
    ["in one language twice", { title: "x", texts: [texts[0], texts[0]] }, "texts"],
    ["in an eleventh language", { title: "x", texts: [...texts, { language: "pt", text: "Olá" }] }, "texts"],
  ])("are refused %s", async (_what, body, field) => {
    const refused = await call<{ fields: object }>("saveCanned", body);
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.data.fields)).toEqual([field]);
  });

  it("can be written by support and read by the auditor, and the built-in ones can't be changed", async () => {
    expect((await call("canned", {}, "auditor-1")).status).toBe(200);
    expect((await call("canned", {}, "finance-1")).status).toBe(403);
    for (const login of ["auditor-1", "finance-1"])
      expect((await call("saveCanned", { title: "x", texts }, login)).status).toBe(403);
    expect((await call("saveCanned", { name: "hello", title: "x", texts })).status).toBe(404);
    expect((await call("deleteCanned", { name: "hello", reason: "unfriendly" })).status).toBe(404);
  });

  it("are also checked by the database", async () => {
    const { rows } = await world.builder.client.query<{ session_id: string }>(
      "SELECT s.session_id FROM operator_sessions s JOIN operators USING (operator_id) WHERE login = 'finance-1'",
    );
    const save = (session: unknown, words: object) =>
      world.context.databases.console.query("SELECT save_canned_answer($1, NULL, 'x', $2)", [
        session,
        JSON.stringify(words),
      ]);
    await expect(save(rows[0]?.session_id, { en: "x" })).rejects.toMatchObject({ code: "42501" });
    await expect(
      world.context.databases.console.query("INSERT INTO canned_answers (title) VALUES ('x')"),
    ).rejects.toMatchObject({ code: "42501" });
  });

  it("contain no card number", async () => {
    const saved = await call<CannedAnswer>("saveCanned", {
      title: "Card",
      texts: [{ language: "en", text: "Is it 4242 4242 4242 4242?" }],
    });
    expect(saved.data.texts[0]?.text).toBe("Is it •••• •••• •••• 4242?");
    await call("deleteCanned", { name: saved.data.name, reason: "A trial" });
  });
});

describe("a picture from customer service", () => {
  const photo = (colour: string) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background: colour } })
      .jpeg()
      .withExif({ IFD0: { Copyright: "SECRET-PLACE" } })
      .toBuffer();
  async function attach(memberId: string, content: Buffer, login = "support-1", headers = {}) {
    const form = new FormData();
    form.set("memberId", memberId);
    form.set("file", new File([new Uint8Array(content)], "a.jpg", { type: "image/jpeg" }));
    const response = await fetch(`${world.console.url}/operator/support/attach`, {
      method: "POST",
      body: form,
      headers: { origin: world.console.url, "x-fairtick-console": "1", cookie: cookies[login] ?? "", ...headers },
    });
    const { data } = (await response.json()) as { data: { fileId: string; error: string } };
    return { status: response.status, ...data };
  }
  const left = () => readdirSync(join(world.context.config.dataDir, "files", "arriving"));
  const fileGet = (memberId: MemberId, fileId: string) =>
    fileRoutes(world.context, world.files)
      .find(({ call: { path } }) => path === "file/get")!
      .handler({ input: { fileId }, session: { memberId, sessionId: 1n } } as never) as Promise<{
      ok: boolean;
      value: { body: NodeJS.ReadableStream };
    }>;

  it("is encoded again and encrypted, arrives on the member's socket and is visible only to them", async () => {
    const { id, memberId } = await newMember();
    const stream = await openConsoleStream(world);
    const heard = await stream.listen(id, "support");
    const { fileId, status } = await attach(memberId, await photo("#336699"));
    expect(status).toBe(200);
    expect(left()).toEqual([]);
    const sealed = readFileSync(join(world.context.config.dataDir, "files", fileId));
    expect(sealed.subarray(0, 4).toString()).toBe("FTF1");

    const sent = await call<SupportMessage>("send", { memberId, fileId, clientId: clientId() });
    expect(sent.data).toMatchObject({ from: "operator", text: null, fileId });
    await waitUntil("the picture", () => heard.some((said) => said.t === "support" && said.d.fileId === fileId));
    const thread = await readThread(world.context, id, {}, "en");
    expect(thread).toMatchObject({ value: { unread: 1, messages: { items: [{ fileId, from: "operator" }, {}] } } });

    const seen = await fileGet(id, fileId);
    const bytes = await buffer(seen.value.body);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 60, height: 40 });
    expect(bytes.includes("SECRET-PLACE")).toBe(false);
    const other = await newMember();
    expect((await fileGet(other.id, fileId)).ok).toBe(false);
    await stream.close();
  });

  it("belongs to one chat for good, and can't be used in another chat or as the member's own upload", async () => {
    const [one, other] = [await newMember(), await newMember()];
    const { fileId } = await attach(one.memberId, await photo("#112233"));
    const send = (memberId: string, login?: string) =>
      call<SupportMessage>("send", { memberId, text: "Look", fileId, clientId: "picture-0001" }, login);
    expect((await send(other.memberId)).status).toBe(409);
    expect((await send(one.memberId, "compliance-1")).status).toBe(409);
    const { console, sessions } = world.context.databases;
    expect(await claimFile(sessions, one.id, fileId, "support", one.memberId)).toBe(false);
    const first = await send(one.memberId);
    expect((await send(one.memberId)).data.messageId).toBe(first.data.messageId);
    expect(await findFile(console, fileId)).toMatchObject({ claimedBy: one.memberId, memberId: one.id });
    expect((await call("send", { memberId: one.memberId, text: "x", fileId: "x", clientId: clientId() })).status).toBe(
      400,
    );
    expect((await call("send", { memberId: one.memberId, clientId: clientId() })).status).toBe(400);
    // The list of the member's own files doesn't contain it.
    const { body } = await world.call("member/files", { memberId: one.memberId }, cookies["support-1"]);
    expect(body.data).toEqual([]);
  });

  it.each([
    ["a page with a picture's name", "<!doctype html><script>alert(1)</script>", "FILE_BROKEN"],
    ["a document that breaks off", "%PDF-1.7\n1 0 obj", "FILE_BROKEN"],
    ["noise after a picture's first bytes", "\xff\xd8\xff\xe0 and no more", "FILE_BROKEN"],
  ])("is refused if it isn't one: %s", async (_what, content, error) => {
    const { memberId } = await newMember();
    expect(await attach(memberId, Buffer.from(content, "latin1"))).toMatchObject({ status: 422, error });
    expect(left()).toEqual([]);
  });

  it("is refused for its size, not for the fields that were not read because of it", async () => {
    const { memberId } = await newMember();
    const sent = await attach(memberId, Buffer.alloc(23 * 1024 * 1024));
    expect(sent).toMatchObject({ status: 413, error: "FILE_TOO_LARGE" });
    expect(left()).toEqual([]);
  });

  it("is accepted only from the console's own page, which is checked before any byte is stored", async () => {
    const { memberId } = await newMember();
    const picture = await photo("#445566");
    expect((await attach(memberId, picture, "auditor-1")).status).toBe(403);
    expect((await attach(memberId, picture, "nobody")).status).toBe(401);
    expect((await attach(memberId, picture, "support-1", { origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await attach(memberId, picture, "support-1", { "x-fairtick-console": "" })).status).toBe(403);
    expect((await attach("usr_0000000000000", picture)).status).toBe(404);
    const silent = (await world.builder.createMember()) as MemberId;
    expect((await attach(formatId("member", silent), picture)).status).toBe(404);
    expect(left()).toEqual([]);
    // The row has the operator and the refusal. The message's contents were not read.
    const { rows } = await world.builder.client.query(
      `SELECT login, subject, detail FROM audit_trail JOIN operators USING (operator_id)
       WHERE action = 'support/attach' AND outcome = 'FORBIDDEN'`,
    );
    expect(rows).toEqual([{ login: "auditor-1", subject: null, detail: "{}" }]);
  });
});
