import type { Page } from "@playwright/test";
import { expect, expectToast, onScreen, open } from "./journey.ts";

export interface Person {
  readonly familyName: string;
  readonly givenName: string;
  readonly birthDate: string;
  readonly number: string;
}

/** Returns a fake photo of a document: a picture with the given words on it. */
async function photoOf(page: Page, words: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const paper = await page.context().newPage();
  await paper.setViewportSize({ width: 640, height: 400 });
  await paper.setContent(
    `<body style="font:28px sans-serif;padding:40px;background:#e8efe0">SPECIMEN<p>${words}</body>`,
  );
  const buffer = await paper.screenshot({ type: "png" });
  await paper.close();
  return { name: "document.png", mimeType: "image/png", buffer };
}

/** Fills in and submits both steps of the form; the page ends on the identity hub. */
export async function handIn(page: Page, person: Person): Promise<void> {
  await open(page, "/pages/auth/Auth?step=basic");
  await fillBasic(page, person);
  await fillDocuments(page, person);
}

export async function fillBasic(page: Page, person: Person): Promise<void> {
  const screen = onScreen(page);
  await expect(screen.getByRole("heading", { name: "Your name and birth date" })).toBeVisible();
  await screen.getByLabel("Last name").fill(person.familyName);
  await screen.getByLabel("First name").fill(person.givenName);
  await screen.getByText("Female", { exact: true }).click();
  await screen.getByLabel("Birth date").fill(person.birthDate);
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect(screen.getByRole("heading", { name: "Your document" })).toBeVisible();
}

async function fillDocuments(page: Page, person: Person): Promise<void> {
  const screen = onScreen(page);
  await screen.getByText("ID card", { exact: true }).click();
  await screen.getByLabel("ID number").fill(person.number);
  await screen
    .getByLabel("Front photo")
    .setInputFiles(await photoOf(page, `${person.familyName}, ${person.givenName}<br>${person.birthDate}`));
  await screen.getByLabel("Back photo").setInputFiles(await photoOf(page, person.number));
  await expect(screen.getByText("Uploaded", { exact: true })).toHaveCount(2);
  await screen.getByRole("button", { name: "Send for review" }).click();
  await expectToast(page, "Operation successful");
  await expect(screen.getByRole("heading", { name: "Identity verification" })).toBeVisible();
}
