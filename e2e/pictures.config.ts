import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** The pictures of docs/pictures, from the product as it is: `npm run pictures`. */
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
