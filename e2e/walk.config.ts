import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** Screenshots of every screen for people to review; not part of the tests. See docs/walk.md. */
export default defineConfig({
  ...journeys,
  testDir: "src/walk",
  outputDir: "../artifacts/walk/failures",
  workers: 2,
  // A single test visits all screens of a language in every size.
  timeout: 3_600_000,
  expect: { timeout: 30_000 },
  use: { ...journeys.use, trace: "off" },
  projects: [{ name: "walk", use: { viewport: { width: 360, height: 740 } } }],
});
