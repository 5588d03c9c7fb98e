import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { createHmac } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { productUrl } from "./members.ts";
import { oneAtATime } from "./one-at-a-time.ts";

export function consoleUrl(): string {
  const url = process.env["JOURNEY_CONSOLE_URL"];
  if (!url) throw new Error("JOURNEY_CONSOLE_URL is set by the global setup");
  return url;
}

interface Account {
  readonly kind: "member" | "operator";
  readonly account: string;
  readonly password: string;
  readonly totpSecret: string;
}

export const STEP_MS = 30_000;
/** Newest code step used in this worker, by login. Each code can open only one session. */
const used = new Map<string, number>();

/** Computes an authenticator code independently, so that the product's implementation isn't tested against itself. */
export function codeOf(secret: string, step: number): string {
  const bits = Array.from(secret, (character) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character).toString(2).padStart(5, "0"),
  ).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(message).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** Returns the console's address with a host name, because browsers don't allow passkeys on an IP address. */
export function namedConsoleUrl(): string {
  return consoleUrl().replace("127.0.0.1", "localhost");
}

/** Returns a seeded operator from the sandbox's list of accounts. */
export async function operatorOf(login: string): Promise<Account> {
  const accounts = (await (await fetch(`${productUrl()}/dev/accounts`)).json()) as Account[];
  const operator = accounts.find(({ kind, account }) => kind === "operator" && account === login);
  if (!operator) throw new Error(`the sandbox has no operator ${login}`);
  return operator;
}

/** Enters login and password; the console then asks for the second factor. */
export async function givePassword(page: Page, { account, password }: Account): Promise<void> {
  await page.getByLabel("Login").fill(account);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Second factor" })).toBeVisible();
}

/**
 * Opens a new window at the console, logged in with both factors. A code opens one session per half minute, and many
 * journeys need the same operators, so a journey reuses the session another one opened while it is valid.
 */
export async function openConsole(browser: Browser, login: string, baseURL = consoleUrl()): Promise<Page> {
  const isUsual = baseURL === consoleUrl();
  const size = { baseURL, viewport: { width: 1280, height: 800 } };
  const kept = keptSession(login);
  const resumed = isUsual ? await resume(browser, kept, size) : null;
  // Journeys in parallel would type the same code, and only one of them would get in.
  return resumed ?? oneAtATime(`${kept}.lock`, () => openAnew(browser, login, isUsual, size));
}

type Size = BrowserContextOptions & { readonly baseURL: string };

async function openAnew(browser: Browser, login: string, isUsual: boolean, size: Size): Promise<Page> {
  const kept = keptSession(login);
  const resumed = isUsual ? await resume(browser, kept, size) : null;
  if (resumed) return resumed;
  const context = await browser.newContext(size);
  const page = await context.newPage();
  await page.goto("/");
  await logIn(page, await operatorOf(login));
  if (isUsual) {
    const { cookies } = await context.storageState();
    writeFileSync(`${kept}.${process.pid}`, JSON.stringify({ cookies, origins: [] }));
    renameSync(`${kept}.${process.pid}`, kept);
  }
  return page;
}

/** Opens a window with the session of another journey; null if that session is no longer valid. */
async function resume(browser: Browser, kept: string, size: Size): Promise<Page | null> {
  if (!existsSync(kept)) return null;
  const context = await browser.newContext({ ...size, storageState: kept });
  const page = await context.newPage();
  await page.goto("/");
  const inside = page.getByRole("navigation", { name: "Back office" });
  await expect(inside.or(page.getByLabel("Login"))).toBeVisible();
  if (await inside.isVisible()) return page;
  await context.close();
  return null;
}

async function logIn(page: Page, operator: Account): Promise<void> {
  const { account, totpSecret } = operator;
  const inside = page.getByRole("navigation", { name: "Back office" });
  await givePassword(page, operator);
  // A code that any journey has used is refused; try the next one.
  for (let tries = 0; tries < 4; tries += 1) {
    const step = Math.max(Math.floor(Date.now() / STEP_MS) - 1, (used.get(account) ?? 0) + 1);
    if (step > Math.floor(Date.now() / STEP_MS) + 1) await page.waitForTimeout(STEP_MS);
    used.set(account, step);
    await page.getByLabel(/Code from your/).fill(codeOf(totpSecret, step));
    // The error of the previous code is still on the screen, so only the response tells whether this one worked.
    const answered = page.waitForResponse((response) => response.url().endsWith("/session/verifySecondFactor"));
    await page.getByRole("button", { name: "Log in" }).click();
    if (!(await answered).ok()) continue;
    await expect(inside).toBeVisible();
    return;
  }
  throw new Error(`${account} could not log in`);
}

function keptSession(login: string): string {
  const folder = process.env["JOURNEY_SESSIONS"];
  if (!folder) throw new Error("JOURNEY_SESSIONS is set by the global setup");
  return join(folder, `${login}.json`);
}

/** Opens a screen from the navigation. */
export async function goTo(page: Page, screen: string): Promise<void> {
  await page.getByRole("navigation", { name: "Back office" }).getByRole("link", { name: screen }).click();
  await expect(page.getByRole("heading", { level: 1, name: screen })).toBeVisible();
}

/** Waits for the queue and takes its first case with the keyboard. */
export async function takeFirst(page: Page): Promise<void> {
  const row = page.locator("tr[data-id]").first();
  await expect(row).toBeVisible();
  await page.keyboard.press("j");
  await expect(row.getByRole("button", { pressed: true })).toBeVisible();
}

/** Finds a member by their address and opens their case. */
export async function openMember(page: Page, email: string): Promise<void> {
  await goTo(page, "Members");
  await page.getByRole("searchbox").fill(email);
  // The click may hit a row of the old list just as the results replace it, so it is retried.
  await expect(async () => {
    await page.getByRole("button", { name: email }).click();
    await expect(page.getByRole("complementary")).toContainText(email, { timeout: 3_000 });
  }).toPass();
}

export async function giveReason(page: Page, reason: string): Promise<void> {
  await page
    .getByRole("complementary")
    .getByLabel(/^Reason/)
    .fill(reason);
}
