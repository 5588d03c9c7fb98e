import { defineConfig } from "vitest/config";
import { fairtickMessages } from "./packages/i18n/src/vite-plugin.ts";

export default defineConfig({
  plugins: [fairtickMessages()],
  test: {
    include: ["packages/**/*.test.{ts,tsx}", "apps/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/.types/**"],
    globalSetup: ["packages/testkit/src/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
