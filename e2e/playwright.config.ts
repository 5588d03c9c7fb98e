import { BROWSER } from "@fairtick/testkit/browser";
import { defineConfig, type Project } from "@playwright/test";

/** What a desk draws differently, or does with a keyboard and a mouse; the rest is the same code at both sizes. */
const AT_A_DESK = [/@desk/, /@console/, /^(phone|desktop) console\//];

/** Begun first: many minutes of screens, or of waiting for the log. Last, they would keep one worker busy and leave the others idle. */
const LONG = /\/(?:verify|tap-walk|screens|gallery|healing|bank|faults)\.spec\.ts$/;

const PHONE: Project = {
  name: "phone",
  grepInvert: AT_A_DESK.slice(1),
  use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
const DESKTOP: Project = { name: "desktop", grep: AT_A_DESK, use: { viewport: { width: 1280, height: 800 } } };

/** Journeys through the whole product, in the system's browser, at a phone's and a desktop's size. */
export default defineConfig({
  testDir: "src/journeys",
  outputDir: "../artifacts/browser",
  globalSetup: "./src/global-setup.ts",
  // More than there are cores: an order's thirty seconds are mostly waiting.
  workers: 5,
  fullyParallel: true,
  // Three times what a quiet machine needs: a slow one is no failure.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    // What is not there to be pressed by then won't come: the journey says so, rather than wait out its whole time.
    actionTimeout: 90_000,
    // Set by the global setup, before any worker reads this.
    baseURL: process.env["JOURNEY_URL"],
    locale: "en-US",
    timezoneId: "UTC",
    // Journeys that hold back chunks and answers must see the requests; those of the installed app allow it.
    serviceWorkers: "block",
    // A trace takes as much of the machine as the journey: `TRACE=yes` records those that fail. Pictures of a failure are taken anyway.
    trace: process.env["TRACE"] === undefined ? "off" : { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: BROWSER.path,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // Playwright runs them in this order, and takes two of one name for parts of the same.
  projects: [
    { ...PHONE, testMatch: LONG },
    { ...DESKTOP, testMatch: LONG },
    { ...PHONE, testIgnore: LONG },
    { ...DESKTOP, testIgnore: LONG },
  ],
});
