import { expect, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newMember } from "../steps/members.ts";
import { giveReason, goTo, openConsole, openMember, takeFirst } from "../steps/office.ts";

/** An announcement's titles, by the name of the language in the console. */
const TITLES = {
  English: "Maintenance on Sunday",
  "Traditional Chinese": "週日維護",
  "Simplified Chinese": "周日维护",
  Japanese: "日曜日のメンテナンス",
  Korean: "일요일 점검",
  German: "Wartungsarbeiten am Sonntag, von 04:00 bis 04:30 Uhr koordinierter Weltzeit",
  Spanish: "Mantenimiento el domingo",
  Italian: "Manutenzione domenica",
  Vietnamese: "Bảo trì vào Chủ nhật",
  French: "Maintenance dimanche",
} as const;

test(
  "an operator's announcement arrives live, each member reads it in their language, and it can be withdrawn",
  { tag: "@console" },
  async ({ browser, page }, info) => {
    const member = await newMember();
    await page.goto("/health/live");
    await page.evaluate(() => localStorage.setItem("lang", "de"));
    await logInByStorage(page, member);
    await open(page, "/pages/home/index");
    const screen = onScreen(page);
    await expect(page.getByRole("link", { name: "Mitteilungen, 1 ungelesen" })).toBeVisible();
    const visitor = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
    await open(visitor, "/pages/home/index");

    const office = await openConsole(browser, "support-1");
    await test.step("written in ten languages, previewed, saved as a draft, published", async () => {
      await goTo(office, "Announcements");
      await office.getByRole("button", { name: "Write an announcement" }).click();
      for (const [language, title] of Object.entries(TITLES)) {
        await office.getByLabel("Language").selectOption({ label: `${language} · missing` });
        await office.getByLabel(`Title, ${language}`).fill(title);
        await office.getByLabel(/^Text/).fill(`## 04:00–04:30 UTC\n${title}.\n- **EUR/USD**\n- BTC/USD`);
        if (language === "English") await picture(office, info, "notices-01-write");
      }
      await office.getByText("Preview", { exact: true }).click();
      await expect(office.getByRole("article", { name: "Preview" })).toContainText("Maintenance dimanche");
      await expectAccessible(office, "console announcement");
      await picture(office, info, "notices-02-preview");
      await office.getByRole("button", { name: "Save draft" }).click();
      await expect(office.getByRole("row", { name: /Maintenance on Sunday 10 of 10 Draft/ })).toBeVisible();
      await expect(screen.getByTestId("announcement")).toHaveCount(0);
      await giveReason(office, "Agreed with operations");
      await office.getByRole("button", { name: "Publish" }).click();
    });

    await test.step("on both home screens at once, in German and in English", async () => {
      await expect(screen.getByTestId("announcement")).toContainText(TITLES.German);
      await expect(page.getByRole("link", { name: "Mitteilungen, 2 ungelesen" })).toBeVisible();
      await expect(onScreen(visitor).getByTestId("announcement")).toContainText(TITLES.English);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, "home with an announcement");
      await picture(page, info, "notices-03-home");
    });

    await test.step("read, and no longer counted", async () => {
      await screen.getByTestId("announcement").click();
      await expect(page).toHaveTitle(TITLES.German);
      await expect(screen.getByRole("heading", { name: "04:00–04:30 UTC" })).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, "announcement");
      await picture(page, info, "notices-04-detail");
      await open(page, "/pages/notice/index");
      await expect(screen.getByTestId("notice").first()).toContainText(TITLES.German);
      await expect(screen.getByText("Ungelesen:")).toHaveCount(0);
      await picture(page, info, "notices-05-list");
      await open(page, "/pages/home/index");
      await expect(page.getByRole("link", { name: "Mitteilungen, 1 ungelesen" })).toBeVisible();
    });

    await test.step("a message to one member arrives live too", async () => {
      await openMember(office, member.email);
      await office.getByRole("tab", { name: "Message" }).click();
      await office.getByLabel("Title of the message").fill("Zu Ihrer Frage");
      await office.getByRole("textbox", { name: "Message", exact: true }).fill("Ihre Einzahlung ist da.");
      await giveReason(office, "Answer to their mail");
      await office.getByRole("button", { name: "Send message" }).click();
      await expect(office.getByText("Message sent.")).toBeVisible();
      await expect(page.getByRole("link", { name: "Mitteilungen, 2 ungelesen" })).toBeVisible();
      await page.getByRole("link", { name: /^Mitteilungen/ }).click();
      await screen.getByRole("tab", { name: "Nachrichten" }).click();
      await expect(screen.getByTestId("notice")).toHaveText([/Zu Ihrer Frage/, /Transaktionspasswort festgelegt/]);
      await picture(page, info, "notices-06-messages");
      await expect(onScreen(visitor).getByTestId("unread-notices")).toHaveCount(0);
    });

    await test.step("once withdrawn, it disappears from the list, home and the screen that shows it", async () => {
      await open(page, "/pages/notice/index");
      await expect(screen.getByTestId("notice")).toContainText([TITLES.German]);
      await onScreen(visitor).getByTestId("announcement").click();
      await expect(visitor).toHaveTitle(TITLES.English);
      await goTo(office, "Announcements");
      await office.getByRole("tab", { name: "Published" }).click();
      await takeFirst(office);
      await giveReason(office, "The date is another one");
      await office.getByRole("button", { name: "Withdraw" }).click();
      await expect(office.getByRole("row", { name: /Withdrawn/ })).toBeVisible();
      await expect(screen.getByText("Noch keine Ankündigungen")).toBeVisible();
      await expect(onScreen(visitor).getByText("This announcement is no longer shown")).toBeVisible();
      await open(visitor, "/pages/home/index");
      await expect(onScreen(visitor).getByTestId("announcement")).toHaveCount(0);
    });
  },
);

test("the system's messages are listed among a member's messages and counted until they are read", async ({
  memberPage: page,
}, info) => {
  await open(page, "/pages/user/index");
  const screen = onScreen(page);
  await screen.getByRole("link", { name: /^Notices.*1 unread/ }).click();
  await expect(screen.getByRole("tab", { name: "Messages (1)", selected: true })).toBeVisible();
  await screen.getByRole("link", { name: /Unread: Transaction password set/ }).click();
  await expect(page).toHaveTitle("Transaction password set");
  await expect(screen.getByText("you’ll need it for every withdrawal")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, "message");
  await picture(page, info, "notices-07-message");
  await screen.getByRole("link", { name: "Security center" }).click();
  await expect(page).toHaveTitle("Security center");
  await screen.getByRole("button", { name: "Back" }).click();
  await expect(page).toHaveTitle("Transaction password set");
  await screen.getByRole("button", { name: "Back" }).click();
  await expect(screen.getByText("Unread:")).toHaveCount(0);
  await expect(screen.getByRole("tab", { name: "Messages", exact: true })).toBeVisible();
  await open(page, "/pages/home/index");
  await expect(screen.getByRole("link", { name: "Notices", exact: true })).toBeVisible();
});

test("a visitor is asked to log in to read messages and led back to them", async ({ page }) => {
  await open(page, "/pages/notice/index?kind=message");
  await onScreen(page).getByRole("link", { name: "Log in" }).click();
  await expect(page).toHaveURL(/next=%2Fpages%2Fnotice%2Findex%3Fkind%3Dmessage/);
});
