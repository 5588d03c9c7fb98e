import { expect, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, picture } from "../steps/look.ts";
import { newMember } from "../steps/members.ts";

test("a visitor has home's six shortcuts too; what needs an account leads to the login and on from there", async ({
  page,
}, info) => {
  await open(page, "/pages/home/index");
  const shortcuts = onScreen(page).getByRole("navigation", { name: "Shortcuts" });
  await expect(shortcuts.getByRole("link")).toHaveText([
    "Deposit",
    "Withdraw",
    "Online service",
    "Invite reward",
    "Limited-time",
    "Download app",
  ]);
  await picture(page, info, "ways-on-01-visitor-home");
  await shortcuts.getByRole("link", { name: "Withdraw" }).click();
  await expect(page).toHaveURL(/#\/pages\/index\/index\?next=%2Fpages%2Fqk%2Findex/);
});

test("the languages are those that the server offers, in its order; all ten where it gives no answer", async ({
  page,
}) => {
  const names = onScreen(page).getByRole("list").getByRole("button");
  await page.route("**/client/multiLang/findAvailableLang", (route) => route.abort());
  await open(page, "/pages/user/SelectLanguage");
  await expect(names).toHaveCount(10);
  await page.unroute("**/client/multiLang/findAvailableLang");
  await page.route("**/client/multiLang/findAvailableLang", (route) =>
    route.fulfill({
      json: {
        code: 200,
        msg: "OK",
        data: [
          { code: "de", lang: "de_DE", name: "German", nativeName: "Deutsch (DE)" },
          { code: "en", lang: "en_US", name: "English", nativeName: "English" },
        ],
      },
    }),
  );
  await page.reload();
  await expect(names).toHaveText(["Deutsch (DE)", "English"]);
  await names.first().click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
});

const MONEY_ROUTES = [
  "/pages/rk/index",
  "/pages/rk/szrk",
  "/pages/rk/szrk1",
  "/pages/rk/bankrk",
  "/pages/rk/SelectCard?currency=EUR",
  "/pages/qk/index",
  "/pages/qk/qk",
] as const;

test("where a region leaves the practice wallet alone, its rule is named at each address of real money", async ({
  page,
}, info) => {
  await logInByStorage(page, await newMember({ region: "DE" }));
  for (const route of MONEY_ROUTES) {
    await open(page, route);
    const main = onScreen(page).getByRole("main");
    await expect(main.getByText(/Only the practice wallet is open here: .+ \([0-9]{4}\)/), route).toBeVisible();
    await expect(main.getByText("could not be loaded"), route).toHaveCount(0);
    await expect(main.getByRole("textbox"), route).toHaveCount(0);
  }
  await picture(page, info, "ways-on-02-practice-only");
});

const WITHOUT_NUMBER = [
  ["/pages/rk/szhz", "No deposit selected", "Show your deposits", "/pages/rk/index"],
  ["/pages/rk/bankhz", "No deposit selected", "Show your deposits", "/pages/rk/index"],
  ["/pages/rk/bankhz?depositNo=D999999999", "We couldn’t find this deposit", "Show your deposits", "/pages/rk/index"],
  ["/pages/rk/SelectCard", "Select a currency first", "Fill in the remittance", "/pages/rk/bankrk"],
  ["/pages/notice/nDetail", "No notice selected", "Show notices", "/pages/notice/index"],
  ["/pages/notice/nDetail?kind=message", "No notice selected", "Show notices", "/pages/notice/index"],
] as const;

test("an address without its number says so, has a heading, and leads on", async ({ memberPage: page }, info) => {
  for (const [route, said, way, place] of WITHOUT_NUMBER) {
    await open(page, route);
    await expect(onScreen(page).getByText(said), route).toBeVisible();
    await expect(onScreen(page).getByRole("heading", { level: 1 }), route).toBeVisible();
    await expectAccessible(page, route);
    if (route.includes("nDetail")) await picture(page, info, "ways-on-03-no-notice");
    await onScreen(page).getByRole("link", { name: way }).click();
    await expect(page).toHaveURL(new RegExp(`#${place}$`));
  }
});
