import { BROWSER } from "@fairtick/testkit/browser";
import { defineConfig, type Project } from "@playwright/test";

/** Journeys that also run at a desktop's size, because the layout or the input differs there. */
const AT_A_DESK = [/@desk/, /@console/, /^(phone|desktop) console\//];

/** Journeys that take minutes. They start first, so that no worker runs one alone at the end. */
const LONG = /\/(?:verify|tap-walk|screens|gallery|healing|bank|faults)\.spec\.ts$/;

const PHONE: Project = {
  name: "phone",
  grepInvert: AT_A_DESK.slice(1),
  use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
const DESKTOP: Project = { name: "desktop", grep: AT_A_DESK, use: { viewport: { width: 1280, height: 800 } } };

/** Journeys through the whole product in the system's browser, at the sizes of a phone and a desktop. */
export default defineConfig({
  testDir: "src/journeys",
  outputDir: "../artifacts/browser",
  globalSetup: "./src/global-setup.ts",
  // More workers than cores, because a journey mostly waits for its order to expire. With five, two cores are never
  // idle, so the run ends no sooner, and journeys hold each other up for seconds.
  workers: 4,
  fullyParallel: true,
  // Three times what an idle machine needs, so that a slow machine doesn't fail a journey.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    // Fails an action on an element that never appears with its own error, well before the journey's timeout.
    actionTimeout: 90_000,
    // The global setup sets this before any worker reads it.
    baseURL: process.env["JOURNEY_URL"],
    locale: "en-US",
    timezoneId: "UTC",
    // Journeys that delay chunks and responses must see the requests. Those of the installed app allow it.
    serviceWorkers: "block",
    // Tracing costs as much CPU as the journey itself: `TRACE=yes` keeps traces of failures. Failure screenshots are
    // always taken.
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
  // Playwright runs the projects in this order and merges projects that share a name.
  projects: [
    { ...PHONE, testMatch: LONG },
    { ...DESKTOP, testMatch: LONG },
    { ...PHONE, testIgnore: LONG },
    { ...DESKTOP, testIgnore: LONG },
  ],
});
