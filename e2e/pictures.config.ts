import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** Takes the screenshots in docs/pictures from the current product: `npm run pictures`. */
export default defineConfig({
  ...journeys,
  testDir: "src/pictures",
  outputDir: "../artifacts/pictures",
  workers: 1,
  projects: [
    {
      name: "pictures",
      use: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    },
  ],
});
