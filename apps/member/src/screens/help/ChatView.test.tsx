// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { endSession, endSessionBy, logIn } from "../../data/session.ts";
import { i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, placeOf, ShownPlace } from "../../shared/navigation.tsx";
import { HelpScreen } from "./HelpScreen.tsx";

const CHAT = "/pages/kf/index?tab=chat";
const CARD = "/pages/kf/index?tab=chat&topic=card&amount=200";
const ARTICLE = "/pages/kf/index?helpId=ties";

/** Messages sent to customer service, and how the server answers. */
let sent: URLSearchParams[] = [];
let answerSend: () => Promise<Response> | Response;
let signedIn = {};
const ok = (data: unknown) => Response.json({ code: 200, msg: "", data });
const refused = () => Response.json({ code: 503, msg: "not now", data: null });

function said(fields: URLSearchParams): Response {
  return ok({
    messageId: fields.get("clientId"),
    from: "member",
    name: "",
    text: fields.get("text"),
    fileId: null,
    fileName: null,
    topic: fields.get("topic"),
    amount: fields.get("amount"),
    clientId: fields.get("clientId"),
    createdAt: 1,
    readAt: null,
  });
}

function answer(path: string, body: unknown): Promise<Response> | Response {
  switch (path) {
    case "/client/auth/login":
      return ok(signedIn);
    case "/client/support/thread":
      return ok({
        messages: { items: [], nextCursor: null },
        unread: 0,
        officeHours: "always",
        officeOpen: true,
        operatorOnline: true,
      });
    case "/client/support/send":
      sent.push(new URLSearchParams(String(body)));
      return answerSend();
    case "/client/help/list":
      return ok([]);
    case "/client/help/detail":
      return ok({ title: "Ties", body: "The words.", version: "1.0", date: "2026-11-21" });
    default:
      return ok(null);
  }
}

/** A fake upload that the test answers. */
class Request extends EventTarget {
  static last: Request;
  readonly upload = new EventTarget();
  responseText = "";
  constructor() {
    super();
    Request.last = this;
  }
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {}
  fails() {
    act(() => void this.dispatchEvent(new Event("error")));
  }
  arrives(fileId: string) {
    this.responseText = JSON.stringify({ code: 200, msg: "", data: { fileId } });
    act(() => void this.dispatchEvent(new Event("load")));
  }
}

async function begin(userId: string): Promise<void> {
  signedIn = { access_token: `of ${userId}`, userInfo: { userId } };
  await act(() => logIn({ account: `${userId}@example.org`, password: "a quiet harbour" }));
}

let at = CHAT;
const drawn = () => (
  <I18nProvider i18n={i18n}>
    <QueryClientProvider client={queryClient}>
      <ShownPlace value={placeOf(at)}>
        <HelpScreen />
      </ShownPlace>
    </QueryClientProvider>
  </I18nProvider>
);
let view: ReturnType<typeof render>;
async function show(href: string): Promise<void> {
  at = href;
  await act(async () => view.rerender(drawn()));
}

const field = () => screen.findByPlaceholderText<HTMLTextAreaElement>("chat.write");
const sendButton = () => screen.getByLabelText<HTMLButtonElement>("chat.send");
async function write(words: string): Promise<void> {
  fireEvent.change(await field(), { target: { value: words } });
}
async function attach(): Promise<void> {
  await field();
  const input = screen.getByLabelText("chat.attach");
  fireEvent.change(input, { target: { files: [new File(["a"], "slip.txt", { type: "text/plain" })] } });
}

beforeEach(async () => {
  sent = [];
  answerSend = () => said(sent.at(-1) ?? new URLSearchParams());
  vi.stubGlobal("XMLHttpRequest", Request);
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => Promise.resolve(answer(path, init.body)));
  Element.prototype.scrollIntoView = () => {};
  i18n.loadAndActivate({ locale: "en", messages: {} });
  await begin("mem_1");
  at = CHAT;
  view = render(drawn());
});
const logOut = () => endSessionBy(() => Promise.resolve());
afterEach(async () => {
  cleanup();
  await logOut();
  queryClient.clear();
  vi.unstubAllGlobals();
});

it("keeps a typed message and its file while an article or the other tab is shown", async () => {
  await write("Where is it?");
  await attach();
  await show(ARTICLE);
  expect(await screen.findByText("The words.")).toBeTruthy();
  Request.last.arrives("fil_1");
  await show("/pages/kf/index");
  await show(CHAT);
  expect((await field()).value).toBe("Where is it?");
  expect(screen.getByText("slip.txt")).toBeTruthy();
  fireEvent.click(sendButton());
  await screen.findByTestId("said");
  expect(Object.fromEntries(sent[0] ?? [])).toMatchObject({ text: "Where is it?", fileId: "fil_1" });
  expect((await field()).value).toBe("");
  expect(screen.queryByText("slip.txt")).toBeNull();
});

it("keeps a message that is being sent, and one that failed, with its client id", async () => {
  const late = Promise.withResolvers<Response>();
  answerSend = () => late.promise;
  await write("Hello");
  fireEvent.click(sendButton());
  await show(ARTICLE);
  await show(CHAT);
  expect(await screen.findByText("chat.sending")).toBeTruthy();
  await show(ARTICLE);
  await act(async () => late.resolve(refused()));
  await show(CHAT);
  answerSend = () => said(sent.at(-1) ?? new URLSearchParams());
  fireEvent.click(await screen.findByText("chat.failed"));
  await screen.findByTestId("said");
  expect(sent).toHaveLength(2);
  expect(sent[1]?.get("clientId")).toBe(sent[0]?.get("clientId"));
});

it("shows the next member nothing of it, although the session merely ended", async () => {
  answerSend = refused;
  await write("Not sent");
  fireEvent.click(sendButton());
  await screen.findByText("chat.failed");
  await write("My draft");
  await attach();
  act(() => endSession("of mem_1"));
  await begin("mem_2");
  await show(CHAT);
  expect((await field()).value).toBe("");
  expect(screen.queryByText("chat.failed")).toBeNull();
  expect(screen.queryByText("slip.txt")).toBeNull();
});

it("keeps a message that was being sent when the session ended, the draft and the file for the same member", async () => {
  const late = Promise.withResolvers<Response>();
  answerSend = () => late.promise;
  await write("Where is my money?");
  fireEvent.click(sendButton());
  await screen.findByText("chat.sending");
  await write("And another thing");
  await attach();
  await act(async () => late.resolve(Response.json({ code: 401, msg: "over", data: { error: "SESSION_EXPIRED" } })));
  await screen.findByText("chat.logInFirst");
  await begin("mem_1");
  await show(CHAT);
  expect((await field()).value).toBe("And another thing");
  expect(screen.getByText("slip.txt")).toBeTruthy();
  answerSend = () => said(sent.at(-1) ?? new URLSearchParams());
  fireEvent.click(await screen.findByText("chat.failed"));
  await screen.findByTestId("said");
  expect(sent.map((one) => one.get("text"))).toEqual(["Where is my money?", "Where is my money?"]);
  expect(sent[1]?.get("clientId")).toBe(sent[0]?.get("clientId"));
});

it("drops everything at a logout", async () => {
  answerSend = refused;
  await write("Not sent");
  fireEvent.click(sendButton());
  await screen.findByText("chat.failed");
  await write("My draft");
  await attach();
  await act(logOut);
  await begin("mem_1");
  await show(CHAT);
  expect((await field()).value).toBe("");
  expect(screen.queryByText("chat.failed")).toBeNull();
  expect(screen.queryByText("slip.txt")).toBeNull();
});

it("is filled in by the card deposit's address once, and the address is cleared when it is sent", async () => {
  navigateTo(CARD);
  await show(CARD);
  await waitFor(async () => expect((await field()).value).toBe("chat.cardOpening"));
  await write("My own words");
  await show(ARTICLE);
  await show(CARD);
  expect((await field()).value).toBe("My own words");
  fireEvent.click(sendButton());
  await screen.findByTestId("said");
  expect(Object.fromEntries(sent[0] ?? [])).toMatchObject({ topic: "cardDeposit", amount: "200" });
  expect(currentPlace().href).toBe(CHAT);
  // Also before the new place is rendered.
  await show(ARTICLE);
  await show(CARD);
  expect((await field()).value).toBe("");
  await show(currentPlace().href);
  await write("Thanks");
  fireEvent.click(sendButton());
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.has("topic")).toBe(false);
  // Opened again from the deposit screen, it is filled in again.
  await show(CARD);
  await waitFor(async () => expect((await field()).value).toBe("chat.cardOpening"));
});

it("sends nothing while its file has failed: the file must be tried again or removed", async () => {
  await write("Here is the slip");
  await attach();
  expect(sendButton().disabled).toBe(true);
  Request.last.fails();
  await screen.findByRole("alert");
  expect(sendButton().disabled).toBe(true);
  fireEvent.submit(sendButton());
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByText("upload.retry"));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  Request.last.arrives("fil_2");
  await waitFor(() => expect(sendButton().disabled).toBe(false));
  await attach();
  Request.last.fails();
  await screen.findByRole("alert");
  fireEvent.click(screen.getByLabelText("chat.remove"));
  await waitFor(() => expect(sendButton().disabled).toBe(false));
  fireEvent.click(sendButton());
  await screen.findByTestId("said");
  expect(sent[0]?.has("fileId")).toBe(false);
});
