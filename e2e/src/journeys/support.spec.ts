import { readFileSync } from "node:fs";
import { LANGUAGE_CODES, translate } from "@fairtick/i18n/server";
import { userSetLanguage } from "@fairtick/protocol";
import { expect, logInByStorage, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { newMember, valueOf } from "../steps/members.ts";
import { goTo, openConsole } from "../steps/office.ts";

test(
  "a member and customer service chat, with a picture, read marks and a canned answer in their language",
  { tag: "@console" },
  async ({ browser, page }, info) => {
    const member = await newMember();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/health/live");
    await page.evaluate(() => localStorage.setItem("lang", "de"));
    await logInByStorage(page, member);
    valueOf(await member.client.call(userSetLanguage, { lang: "de" }));
    await open(page, "/pages/kf/index?tab=chat&topic=card&amount=200");
    const screen = onScreen(page);
    const words = screen.getByRole("textbox", { name: "Nachricht an den Kundenservice" });

    await test.step("opened about a card deposit, with office hours and suggested answers before sending", async () => {
      await expect(words).toHaveValue("Ich möchte 200,00 USD mit meiner Bankkarte einzahlen.");
      await expect(screen.getByText(/Montag bis Freitag, 08:00–20:00 Uhr \(UTC\)/)).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, "chat");
      await picture(page, info, "support-01-opened");
      await screen.getByRole("button", { name: "Senden" }).click();
      await expect(screen.getByTestId("said")).toContainText("200,00 USD");
      await expect(screen.getByText(/Zu einer Karteneinzahlung über 200,00 USD/)).toBeVisible();
    });

    const office = await openConsole(browser, "support-1");
    await test.step("it appears in the inbox, is read, and an operator types", async () => {
      await goTo(office, "Inbox");
      await office
        .getByRole("button", { name: member.email.slice(0, 1) + "•••@example.com" })
        .or(office.getByRole("button", { name: member.email }))
        .first()
        .click();
      await expect(office.getByRole("log")).toContainText("200,00 USD");
      await expect(office.getByRole("complementary")).toContainText(member.email);
      await expect(screen.getByTestId("said")).toContainText("gelesen");
      await office.getByLabel("Canned answers").selectOption({ label: "Ask for the deposit number" });
      await office.getByLabel("Answer", { exact: true }).pressSequentially(" ");
      await expect(screen.getByText("Der Kundenservice schreibt")).toBeVisible();
      await expectAccessible(office, "console inbox");
      await office.getByRole("button", { name: "Send answer" }).click();
      await expect(screen.getByTestId("answer")).toContainText("Nummer der Einzahlung");
      await picture(page, info, "support-02-answer");
    });

    await test.step("a picture, and a card number masked to four digits", async () => {
      const shot = await page.screenshot();
      await screen
        .getByLabel("Bild oder Datei anhängen")
        .setInputFiles({ name: "receipt.png", mimeType: "image/png", buffer: shot });
      await words.fill("Das ist der Beleg, Karte 4242 4242 4242 4242");
      await expect(office.getByText("The member is typing…")).toBeVisible();
      const send = screen.getByRole("button", { name: "Senden" });
      await expect(send).toBeEnabled();
      await send.click();
      await expect(screen.getByTestId("said").last()).toContainText("•••• •••• •••• 4242");
      await expect(screen.getByRole("img", { name: "Bild" })).toBeVisible();
      await expect(office.getByRole("log")).toContainText("•••• •••• •••• 4242");
      await office.getByRole("button", { name: "Show picture" }).click();
      await expect(office.getByRole("img", { name: "From the member" })).toBeVisible();
      await picture(office, info, "support-03-inbox");
      await picture(page, info, "support-04-picture");
      await expectAccessible(page, "chat with a picture");
    });

    await test.step("an operator's own answer, in English if it has no German, with a picture", async () => {
      await goTo(office, "Canned answers");
      await office.getByRole("button", { name: "Write an answer" }).click();
      await office.getByLabel("Title (operators only)").fill("Receipt, where to find it");
      await office.getByLabel("Text, English").fill("The receipt stands in your bank’s app.");
      await office.getByLabel("Language").selectOption({ label: "German · uses English" });
      await expect(office.getByRole("article", { name: "English text used instead" })).toContainText("your bank’s app");
      await expectAccessible(office, "console canned answers");
      await picture(office, info, "support-04a-canned");
      await office.getByRole("button", { name: "Save answer" }).click();
      await expect(office.getByRole("row", { name: /Receipt, where to find it .*1 of 10 support-1/ })).toBeVisible();
      await goTo(office, "Inbox");
      // Other members write too, so the first chat may be one of theirs.
      await office
        .getByRole("button", { name: member.email.slice(0, 1) + "•••@example.com" })
        .or(office.getByRole("button", { name: member.email }))
        .first()
        .click();
      await expect(office.getByRole("complementary")).toContainText(member.email);
      await office.getByLabel("Canned answers").selectOption({ label: "Receipt, where to find it · in English" });
      await expect(office.getByText(/isn’t available in German, the member’s language/)).toBeVisible();
      await office
        .getByLabel("Attach a file")
        .setInputFiles({ name: "where.png", mimeType: "image/png", buffer: await office.screenshot() });
      await expect(office.getByText("where.png · attached")).toBeVisible();
      await picture(office, info, "support-04b-answer");
      await office.getByRole("button", { name: "Send answer" }).click();
      await expect(screen.getByTestId("answer").last()).toContainText("your bank’s app");
      await expect(screen.getByTestId("answer").last().getByRole("img", { name: "Bild" })).toBeVisible();
      await expect(office.getByText("where.png · attached")).toHaveCount(0);
      await picture(page, info, "support-04c-picture-of-the-house");
    });

    await test.step("an answer that arrives while the member is elsewhere is counted, and marked read when opened", async () => {
      await open(page, "/pages/user/index");
      await expect(screen.getByRole("link", { name: /^Kundenservice/ })).toBeVisible();
      await office.getByLabel("Answer", { exact: true }).fill("Danke, ich habe alles.");
      await office.getByRole("button", { name: "Send answer" }).click();
      await expect(screen.getByRole("link", { name: "Kundenservice 1 ungelesen" })).toBeVisible();
      await expect(office.getByRole("log").getByText(/· read/)).toHaveCount(4);
      await screen.getByRole("link", { name: /^Kundenservice/ }).click();
      await expect(screen.getByTestId("answer").last()).toContainText("Danke, ich habe alles.");
      await expect(office.getByRole("log").getByText(/· read/)).toHaveCount(5);
    });

    await test.step("a document in each direction is saved under its name and never displayed", async () => {
      const content = "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n";
      await screen
        .getByLabel("Bild oder Datei anhängen")
        .setInputFiles({ name: "Kontoauszug März.pdf", mimeType: "application/pdf", buffer: Buffer.from(content) });
      await expect(screen.getByText("Kontoauszug März.pdf")).toBeVisible();
      const send = screen.getByRole("button", { name: "Senden" });
      await expect(send).toBeEnabled();
      await picture(page, info, "support-04d-document-chosen");
      await send.click();
      const saving = office.waitForEvent("download");
      await office.getByRole("button", { name: "Save Kontoauszug März.pdf" }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toBe("Kontoauszug März.pdf");
      expect(readFileSync(await saved.path(), "latin1")).toBe(content);
      await office
        .getByLabel("Attach a file")
        .setInputFiles({ name: "steps.txt", mimeType: "text/plain", buffer: Buffer.from("First this, then that.") });
      await expect(office.getByText("steps.txt · attached")).toBeVisible();
      await office.getByRole("button", { name: "Send answer" }).click();
      const coming = page.waitForEvent("download");
      await screen.getByTestId("answer").last().getByRole("button", { name: "Speichern steps.txt" }).click();
      const came = await coming;
      expect(came.suggestedFilename()).toBe("steps.txt");
      expect(readFileSync(await came.path(), "utf8")).toBe("First this, then that.");
      await picture(office, info, "support-04e-documents-console");
      await picture(page, info, "support-04f-documents");
      await expectAccessible(page, "chat with documents");
      await expectAccessible(office, "console chat with documents");
    });

    await test.step("closed, and reopened by the member's next message", async () => {
      await office.getByRole("button", { name: "Close", exact: true }).click();
      await expect(office.getByText(/· closed/)).toBeVisible();
      await words.fill("Noch etwas");
      await screen.getByRole("button", { name: "Senden" }).click();
      await expect(office.getByText(/· closed/)).toHaveCount(0);
    });
  },
);

test(
  "a message that couldn't be sent is kept and sent again by a tap",
  { tag: "@desk" },
  async ({ memberPage: page }, info) => {
    await open(page, "/pages/kf/index?tab=chat");
    const screen = onScreen(page);
    const words = screen.getByRole("textbox", { name: "Write to support" });
    await words.fill("Where is my deposit?");
    await page.route("**/client/support/send", (route) => route.abort());
    await screen.getByRole("button", { name: "Send" }).click();
    const failed = screen.getByRole("button", { name: /^Where is my deposit\?\s*Not sent/ });
    await expect(failed).toBeVisible();
    await picture(page, info, "support-05-not-sent");
    await page.unroute("**/client/support/send");
    await failed.click();
    await expect(screen.getByTestId("said")).toContainText("Where is my deposit?");
    await page.reload();
    await expect(screen.getByTestId("said")).toHaveCount(1);
  },
);

test("a deposit by bank card is arranged with customer service", async ({ memberPage: page }) => {
  await open(page, "/pages/rk/index");
  const screen = onScreen(page);
  await screen.getByRole("button", { name: "Bank card, through customer service" }).click();
  await page
    .getByRole("dialog")
    .getByLabel(/Deposit amount/)
    .fill("200");
  await page.getByRole("button", { name: "Open the chat" }).click();
  await expect(screen.getByRole("textbox", { name: "Write to support" })).toHaveValue(
    "I would like to deposit 200.00 USD with my bank card.",
  );
  await screen.getByRole("button", { name: "Send" }).click();
  await expect(screen.getByText(/About a card deposit/)).toBeVisible();
  // The deposit is mentioned only once: a reload doesn't repeat it.
  await expect(page).toHaveURL(/#\/pages\/kf\/index\?tab=chat$/);
  await page.reload();
  await expect(screen.getByText(/About a card deposit/)).toBeVisible();
  await expect(screen.getByRole("textbox", { name: "Write to support" })).toHaveValue("");
});

test(
  "answers are offered before the chat, which asks a visitor to log in",
  { tag: "@desk" },
  async ({ page }, info) => {
    await open(page, "/pages/kf/index");
    const screen = onScreen(page);
    await screen.getByRole("tab", { name: "Chat" }).click();
    await screen.getByRole("link", { name: "Log in" }).click();
    await expect(page).toHaveURL(/next=%2Fpages%2Fkf%2Findex%3Ftab%3Dchat/);
    await logInByStorage(page, await newMember());
    await open(page, "/pages/kf/index?tab=chat");
    await screen.getByRole("textbox", { name: "Write to support" }).fill("What are ties and void orders?");
    await expect(screen.getByRole("region", { name: "Related answers" }).getByRole("link").first()).toHaveText(
      "Ties and void orders",
    );
    await expectNoSidewaysScroll(page);
    await picture(page, info, "support-06-answers");
    await screen.getByRole("link", { name: "Ties and void orders" }).click();
    await expect(page).toHaveTitle("Ties and void orders");
    await page.goBack();
    await expect(screen.getByRole("textbox", { name: "Write to support" })).toHaveValue(
      "What are ties and void orders?",
    );
  },
);

test("chat and notices fit a small phone with large text in every language", async ({ memberPage: page }, info) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const seen = new Set<string>();
  for (const code of LANGUAGE_CODES) {
    await page.goto("/health/live");
    await page.evaluate((lang) => localStorage.setItem("lang", lang), code);
    for (const [route, title] of [
      ["/pages/kf/index?tab=chat&topic=card&amount=20000", translate(code, "chat.title")],
      ["/pages/notice/index?kind=message", translate(code, "notice.title")],
    ] as const) {
      await open(page, route);
      await expect(page).toHaveTitle(title);
      await page.evaluate(() => document.documentElement.style.setProperty("--text-scale", "2"));
      await expect(onScreen(page).getByRole("tabpanel").locator("p, a").first()).toBeVisible();
      await expect(onScreen(page).locator(".wait")).toHaveCount(0);
      await expectNoSidewaysScroll(page);
      seen.add(await onScreen(page).locator("main").innerText());
      if (code === "de" || code === "ri") await picture(page, info, `support-large-${code}-${seen.size}`);
    }
  }
  expect(seen.size).toBe(2 * LANGUAGE_CODES.length);
});

test.describe("in the dark theme", () => {
  test.use({ colorScheme: "dark" });

  test("chat and notices fit and are accessible", async ({ memberPage: page }, info) => {
    await open(page, "/pages/kf/index?tab=chat");
    const screen = onScreen(page);
    await screen.getByRole("textbox", { name: "Write to support" }).fill("What are ties and void orders?");
    await screen.getByRole("button", { name: "Send" }).click();
    await expect(screen.getByTestId("said")).toBeVisible();
    await expectAccessible(page, "dark chat");
    await picture(page, info, "support-07-dark");
    await open(page, "/pages/notice/index?kind=message");
    await expect(screen.getByTestId("notice")).toBeVisible();
    await expectAccessible(page, "dark notices");
    await picture(page, info, "support-08-dark-notices");
  });
});
