// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { i18n } from "../shared/i18n.ts";
import { createFormShelf, useKeptForm } from "./kept-form.ts";
import { endSession, logIn, logOut } from "./session.ts";

interface Typed {
  readonly name: string;
  readonly password: string;
}

const EMPTY: Typed = { name: "", password: "" };
const shelf = createFormShelf<Typed>((values) => ({ ...values, password: "" }));

function Form() {
  const { values, set } = useKeptForm(shelf, EMPTY);
  return (
    <>
      <input aria-label="name" value={values.name} onChange={(event) => set("name", event.target.value)} />
      <input aria-label="password" value={values.password} onChange={(event) => set("password", event.target.value)} />
    </>
  );
}

function open() {
  render(
    <I18nProvider i18n={i18n}>
      <Form />
    </I18nProvider>,
  );
}

let member = "";
async function begin(userId: string) {
  member = userId;
  await act(() => logIn({ account: "a", password: "b" }));
}
function type(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}
const typedNow = () => ["name", "password"].map((label) => screen.getByLabelText<HTMLInputElement>(label).value);

beforeEach(async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      Response.json({ code: 200, msg: "", data: { access_token: `token-${member}`, userInfo: { userId: member } } }),
    ),
  );
  i18n.loadAndActivate({ locale: "en", messages: {} });
  await begin("mem_1");
  open();
  type("name", "Silva");
  type("password", "secret");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function endWhileOpen() {
  act(() => endSession("token-mem_1"));
  cleanup();
}

it("keeps what was typed when the session ends, without what must be given again", async () => {
  endWhileOpen();
  await begin("mem_1");
  open();
  expect(typedNow()).toEqual(["Silva", ""]);
});

it("keeps nothing for another member", async () => {
  endWhileOpen();
  await begin("mem_2");
  open();
  expect(typedNow()).toEqual(["", ""]);
});

it("keeps nothing when the member leaves the form", () => {
  cleanup();
  open();
  expect(typedNow()).toEqual(["", ""]);
});

it("keeps nothing after a logout", async () => {
  endWhileOpen();
  await begin("mem_1");
  await act(logOut);
  await begin("mem_1");
  open();
  expect(typedNow()).toEqual(["", ""]);
});
