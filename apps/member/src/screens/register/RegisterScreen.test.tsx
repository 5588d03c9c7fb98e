// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useSyncExternalStore } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const answers = new Map<string, unknown>([
  [
    "/client/region/list",
    [
      { iso2: "BR", dialCode: "55", policy: "full", legalAge: 18 },
      { iso2: "DE", dialCode: "49", policy: "full", legalAge: 18 },
    ],
  ],
  ["/client/auth/sendCode", { retryAt: Date.now() + 60_000 }],
  ["/client/auth/register", { access_token: "secret", expiresAt: 1, userInfo: { userId: "mem_1" } }],
]);

/** Loads the page afresh, without anything in memory. */
async function load() {
  cleanup();
  vi.resetModules();
  const [{ RegisterScreen }, { queryClient }, { activateAllWords, i18n }, places, regions, session] = await Promise.all(
    [
      import("./RegisterScreen.tsx"),
      import("../../data/queries.ts"),
      import("../../shared/i18n.ts"),
      import("../../shared/navigation.tsx"),
      import("../../data/regions.ts"),
      import("../../data/session.ts"),
    ],
  );
  await activateAllWords("en");
  /** Renders the screen at the current address, as the shell does. */
  function Shown() {
    return (
      <places.ShownPlace value={useSyncExternalStore(places.watchPlace, places.currentPlace)}>
        <RegisterScreen />
      </places.ShownPlace>
    );
  }
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Shown />
      </QueryClientProvider>
    </I18nProvider>,
  );
  return { ...regions, ...session, ...places };
}

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: "input:not([type=radio]), select" });
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const region = () => screen.getByRole("link", { name: /Country or region/ }).textContent;
const stored = () => JSON.stringify(sessionStorage);

beforeEach(() => {
  location.hash = "#/pages/index/Register";
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(
      new Response(JSON.stringify(answers.has(path) ? { code: 200, msg: "", data: answers.get(path) } : { code: 404 })),
    ),
  );
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** Goes to the second step, which asks for the code. */
async function goOn() {
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByLabelText("Verification code");
}

async function fill() {
  const { chooseRegion, ...app } = await load();
  chooseRegion("BR");
  await vi.waitFor(() => expect(region()).toContain("Brazil"));
  type("E-mail", "you@example.com");
  await goOn();
  type("Verification code", "135790");
  type("Password", "a quiet harbour");
  type("Confirm password", "a quiet harbour");
  type("Invitation code (if you have one)", "FRIEND7");
  fireEvent.click(screen.getByRole("checkbox"));
  return app;
}

it("restores what was typed after a reload, except passwords, the code and the consent", async () => {
  await fill();
  expect(stored()).not.toMatch(/135790|harbour/);
  await load();
  await vi.waitFor(() => screen.getByText("Code for you@example.com"));
  expect(field("Invitation code (if you have one)").value).toBe("FRIEND7");
  for (const label of ["Verification code", "Password", "Confirm password"]) expect(field(label).value).toBe("");
  expect(screen.getByRole<HTMLInputElement>("checkbox").checked).toBe(false);
  // The first step is as it was left.
  fireEvent.click(screen.getByRole("button", { name: "Change" }));
  await vi.waitFor(() => expect(region()).toContain("Brazil"));
  expect(field("E-mail").value).toBe("you@example.com");
});

it("doesn't reach the second step by its address alone", async () => {
  location.hash = "#/pages/index/Register?step=2";
  await load();
  await vi.waitFor(() => screen.getByRole("link", { name: /Country or region/ }));
  expect(screen.queryByLabelText("Verification code")).toBeNull();
});

it("guesses the region from the browser, and uses it only once it is confirmed", async () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["pt-BR"]);
  await load();
  const yes = await screen.findByRole("button", { name: "Yes, Brazil" });
  expect(region()).toContain("Select country/region");
  type("E-mail", "you@example.com");
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(screen.queryByLabelText("Verification code")).toBeNull();
  fireEvent.click(yes);
  await vi.waitFor(() => expect(region()).toContain("Brazil"));
  expect(screen.queryByTestId("region-guess")).toBeNull();
  await goOn();
});

it("restores a phone number with its country code", async () => {
  await load();
  fireEvent.click(screen.getByText("Phone"));
  await screen.findByRole("option", { name: "+49" });
  type("Country code", "49");
  type("Phone number", "1701234567");
  await load();
  expect(field("Phone number").value).toBe("1701234567");
  await vi.waitFor(() => expect(field("Country code").value).toBe("49"));
});

/** `load` under another name, because a test has its own `load`. */
const loadAnew = load;

it("uses the invitation code of the newest link, unless one was typed", async () => {
  const code = () => field("Invitation code (if you have one)").value;
  const load = async () => {
    (await loadAnew()).chooseRegion("BR");
    await vi.waitFor(() => expect(region()).toContain("Brazil"));
    type("E-mail", "you@example.com");
    await goOn();
  };
  location.hash = "#/pages/index/Register?inviteCode=FIRST";
  await load();
  location.hash = "#/pages/index/Register?inviteCode=SECOND";
  await load();
  expect(code()).toBe("SECOND");
  type("Invitation code (if you have one)", "FRIEND7");
  location.hash = "#/pages/index/Register?inviteCode=SECOND";
  await load();
  expect(code()).toBe("FRIEND7");
});

it("stores nothing after the registration", async () => {
  await fill();
  expect(stored()).toContain("you@example.com");
  fireEvent.click(screen.getByRole("button", { name: "Create account" }));
  await vi.waitFor(() => expect(localStorage.getItem("exchange2508Token")).toBe("secret"));
  expect(stored()).toBe("{}");
});

it("registers a member who went to another screen meanwhile, and leaves them there", async () => {
  const { navigateTo, currentPlace } = await fill();
  const button = screen.getByRole("button", { name: "Create account" });
  fireEvent.click(button);
  navigateTo("/pages/notice/xieyi1");
  await vi.waitFor(() => expect(localStorage.getItem("exchange2508Token")).toBe("secret"));
  await vi.waitFor(() => expect(localStorage.getItem("fairtickWelcome")).toBe("due"));
  expect(currentPlace().href).toBe("/pages/notice/xieyi1");
});

it("doesn't lead a member on to the code who went to another screen before it was sent", async () => {
  const { chooseRegion, navigateTo, currentPlace } = await load();
  chooseRegion("BR");
  await vi.waitFor(() => expect(region()).toContain("Brazil"));
  type("E-mail", "left-early@example.com");
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  navigateTo("/pages/market/index");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(currentPlace().href).toBe("/pages/market/index");
});

it("shows the next person nothing of a member who logged in on another tab in the meantime", async () => {
  await fill();
  location.hash = "#/pages/index/Register";
  localStorage.setItem("exchange2508Token", "of another tab");
  const { endSession } = await load();
  endSession("of another tab");
  await load();
  expect(field("E-mail").value).toBe("");
  expect(region()).not.toContain("Brazil");
});
