import { formatId, formatPrefixedId, type MemberId, type MicroUsd } from "@fairtick/domain";
import type { SupportMessage } from "@fairtick/protocol";
import type { SupportEntry } from "@fairtick/protocol/operator";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sayToSupport, readThread, readAsMember } from "../support/index.ts";
import { type ConsoleStream, openConsoleStream } from "../../testing/console-stream.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
let stream: ConsoleStream;
const cookies: Record<string, string> = {};
beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["support-1", "auditor-1", "finance-1"]) cookies[login] = await world.logIn(login);
  stream = await openConsoleStream(world);
});
afterAll(async () => {
  await stream.close();
  await world.close();
});

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a call answers is said where it is made
const call = async <Data>(path: string, body: object = {}, login = "support-1") => {
  const { status, body: answer } = await world.call(`support/${path}`, body, cookies[login]);
  return { status, data: answer.data as unknown as Data };
};
const newMember = async () => {
  const id = (await world.builder.createMember()) as MemberId;
  return { id, memberId: formatId("member", id) };
};
let made = 0;
const clientId = () => `client-${(made += 1)}`;
async function say(id: MemberId, text: string, more: object = {}): Promise<SupportMessage> {
  const said = await sayToSupport(world.context, id, { text, clientId: clientId(), ...more });
  if (!said.ok) throw new Error(said.refusal.error);
  return said.value;
}
const thread = async (id: MemberId, page = {}) => {
  const read = await readThread(world.context, id, page, "en");
  if (!read.ok) throw new Error(read.refusal.error);
  return read.value;
};
const chat = async (memberId: string) =>
  (await call<{ entry: SupportEntry; messages: { items: SupportMessage[] } }>("chat", { memberId })).data;

describe("a chat with customer service", () => {
  it("works both ways, live on the member's socket, and shows what was read", async () => {
    const { id, memberId } = await newMember();
    const heard = await stream.listen(id, "support");
    const asked = await say(id, "Where is my deposit?");
    expect(asked).toMatchObject({ from: "member", readAt: null });
    const entry = (await call<SupportEntry[]>("inbox")).data.find((each) => each.memberId === memberId);
    expect(entry).toMatchObject({ excerpt: "Where is my deposit?", unread: 1, from: "member", assignedTo: null });

    await call("markRead", { memberId });
    await call("typing", { memberId });
    const answer = await call<SupportMessage>("send", { memberId, text: "On its way.", clientId: "answer-0001" });
    expect(answer.data).toMatchObject({ from: "operator", text: "On its way." });
    await waitUntil("a message", () =>
      heard.some((message) => message.t === "support" && message.d.from === "operator"),
    );
    const kinds = heard.map((message) => (message.t === "support" ? `${message.t} ${message.d.text}` : message.t));
    expect(kinds).toEqual(
      expect.arrayContaining(["support Where is my deposit?", "supportRead", "supportTyping", "support On its way."]),
    );

    const read = await thread(id);
    expect(read).toMatchObject({ unread: 1, operatorOnline: true, officeHours: "Monday to Friday, 08:00–20:00 (UTC)" });
    expect(read.messages.items.map(({ text, readAt }) => [text, readAt !== null])).toEqual([
      ["On its way.", false],
      ["Where is my deposit?", true],
    ]);
    await readAsMember(world.context, id);
    expect((await thread(id)).unread).toBe(0);
    expect((await chat(memberId)).messages.items[0]?.readAt).not.toBe(null);
    expect((await chat(memberId)).entry).toMatchObject({ assignedTo: { login: "support-1" }, waitingSince: null });
  });

  it("never stores a card number of either side", async () => {
    const { id, memberId } = await newMember();
    const said = await say(id, "It is 4242 4242 4242 4242, valid 12/29");
    expect(said.text).toBe("It is •••• •••• •••• 4242, valid 12/29");
    await call("send", { memberId, text: "You mean 4242424242424242?", clientId: "answer-0002" });
    const { rows } = await world.builder.client.query(
      "SELECT body AS text FROM support_messages UNION ALL SELECT detail FROM audit_trail",
    );
    expect(rows.filter(({ text }) => /4242[ ]?4242/.test(String(text)))).toEqual([]);
  });

  it("stores each message once, however often it is sent", async () => {
    const { id, memberId } = await newMember();
    const saying = {
      text: "Hello?",
      topic: "cardDeposit" as const,
      amount: 200_000_000n as MicroUsd,
      clientId: "same-client",
    };
    const all = await Promise.all([1, 2, 3].map(() => sayToSupport(world.context, id, saying)));
    expect(new Set(all.map((said) => (said.ok ? said.value.messageId : said.refusal.error))).size).toBe(1);
    expect(all[0]).toMatchObject({ value: { topic: "cardDeposit", amount: "200.00" } });
    expect(await sayToSupport(world.context, id, { ...saying, text: "Bye" })).toMatchObject({
      refusal: { error: "CLIENT_ID_REUSED" },
    });
    const send = (text: string) => call<SupportMessage>("send", { memberId, text, clientId: "answer-same" });
    const [one, two] = [await send("Yes"), await send("Yes")];
    expect(two.data.messageId).toBe(one.data.messageId);
    expect((await send("No")).status).toBe(409);
    expect((await thread(id)).messages.items).toHaveLength(2);
  });

  it("accepts a picture that the member uploaded for the chat", async () => {
    const [one, other] = [await newMember(), await newMember()];
    await world.builder.client.query(
      `INSERT INTO files (file_id, member_id, purpose, bytes, width, height, digest, made_at)
       VALUES (71, $1, 'support', 1, 1, 1, sha256('a'), 0), (72, $1, 'receipt', 1, 1, 1, sha256('b'), 0), (73, $2, 'support', 1, 1, 1, sha256('c'), 0)`,
      [one.id, other.id],
    );
    const send = (fileId: string) => sayToSupport(world.context, one.id, { fileId, clientId: clientId() });
    const file = (id: number) => formatPrefixedId("fil", BigInt(id));
    const sent = await send(file(71));
    expect(sent).toMatchObject({ ok: true, value: { text: null, fileId: file(71) } });
    await world.builder.client.query(
      `INSERT INTO files (file_id, member_id, purpose, bytes, width, height, digest, made_at)
       VALUES (74, $1, 'support', 1, 1, 1, sha256('d'), 0)`,
      [one.id],
    );
    await sayToSupport(world.context, one.id, { text: "Hello", clientId: "client-taken" });
    expect(
      await sayToSupport(world.context, one.id, { text: "Look", fileId: file(74), clientId: "client-taken" }),
    ).toMatchObject({ refusal: { error: "CLIENT_ID_REUSED" } });
    const { rows } = await world.builder.client.query("SELECT claimed_by FROM files WHERE file_id = 74");
    expect(rows).toEqual([{ claimed_by: null }]);
    for (const id of [72, 73])
      expect(await send(file(id))).toMatchObject({ ok: false, refusal: { error: "FIELD_INVALID" } });
  });

  it("is listed page by page, newest first", async () => {
    const { id } = await newMember();
    for (let place = 0; place < 5; place += 1) await say(id, `Line ${place}`);
    const first = await thread(id, { limit: 3 });
    expect(first.messages.items.map(({ text }) => text)).toEqual(["Line 4", "Line 3", "Line 2"]);
    const rest = await thread(id, { cursor: first.messages.nextCursor });
    expect(rest.messages.items.map(({ text }) => text)).toEqual(["Line 1", "Line 0"]);
  });
});

describe("the inbox", () => {
  it("shows the longest waiting first, can be assigned and closed, and reopens when the member writes", async () => {
    const [early, late] = [await newMember(), await newMember()];
    await say(early.id, "First");
    await say(late.id, "Second");
    const list = async (state = "open", login = "support-1") =>
      (await call<SupportEntry[]>("inbox", { state }, login)).data.map((each) => each.memberId);
    const open = await list();
    expect(open.indexOf(early.memberId)).toBeLessThan(open.indexOf(late.memberId));
    await call("assign", { memberId: late.memberId, mine: true });
    expect(await list("mine")).toContain(late.memberId);
    await call("assign", { memberId: late.memberId, mine: false });
    expect(await list("mine")).not.toContain(late.memberId);
    await call("close", { memberId: early.memberId });
    expect((await call("close", { memberId: early.memberId })).status).toBe(409);
    expect(await list()).not.toContain(early.memberId);
    expect(await list("closed")).toContain(early.memberId);
    await say(early.id, "One more thing");
    expect(await list()).toContain(early.memberId);
  });

  it("offers answers in ten languages, only to support", async () => {
    const canned = (await call<{ name: string; texts: { text: string }[] }[]>("canned")).data;
    expect(canned.every(({ texts }) => new Set(texts.map(({ text }) => text)).size === 10)).toBe(true);
    const { memberId } = await newMember();
    expect((await call("inbox", {}, "auditor-1")).status).toBe(200);
    expect((await call("send", { memberId, text: "x", clientId: "answer-0003" }, "auditor-1")).status).toBe(403);
    expect((await call("inbox", {}, "finance-1")).status).toBe(403);
    // Operators can write only to members who have written first.
    expect((await call("send", { memberId, text: "x", clientId: "answer-0003" })).status).toBe(404);
  });

  it("is told at once that something was said, but not what", async () => {
    const events = (login: string) =>
      fetch(`${world.console.url}/operator/support/events`, { headers: { cookie: cookies[login] ?? "" } });
    expect((await events("finance-1")).status).toBe(401);
    const response = await events("support-1");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const { id, memberId } = await newMember();
    await say(id, "A secret of mine");
    let heard = "";
    while (!heard.includes("data:")) heard += (await reader.read()).value ?? "";
    expect(heard).toContain(`data: {"memberId":"${memberId}","from":"member","what":"message"}`);
    expect(heard).not.toContain("secret");
    await reader.cancel();
  });
});
