import { defineConfig } from "vitest/config";
import { withBundles } from "./packages/testkit/src/programs/bundle-programs.ts";
import { fairtickMessages } from "./packages/i18n/src/vite-plugin.ts";

export default defineConfig({
  plugins: [fairtickMessages()],
  test: {
    include: ["packages/**/*.test.{ts,tsx}", "apps/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/.types/**"],
    globalSetup: ["packages/testkit/src/global-setup.ts"],
    setupFiles: ["packages/ui/src/testing.ts"],
    // For the processes that tests start.
    env: { NODE_OPTIONS: withBundles() },
    // Tests mostly wait: for a database, a chain, a process that starts.
    maxWorkers: 3,
    // They end what hangs, and measure nothing: a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
