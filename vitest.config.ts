import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { withBundles } from "./packages/testkit/src/programs/bundle-programs.ts";
import { fairtickMessages } from "./packages/i18n/src/vite-plugin.ts";

/**
 * Test files that start whole products and take minutes. They start first, so that no worker runs one alone at the end.
 */
const LONG =
  /scripts\/(?:start|torture|attack|tamper-drill|backup|verify-product|reproducible-build|roles|develop\/develop)\.test|money-crash\/|start-postgres\.test/;

/** Runs the long files first, then each project's by their last duration; on a fresh clone by size. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Shares a worker between many files, with the house's modules evaluated again for each: see decision 27. */
const SHARED_WORKERS = { isolate: false, setupFiles: ["packages/testkit/src/fresh-modules.ts"] };

/** Measures the memory of its process, so it can't share one. */
const MEASURES_ITS_PROCESS = "apps/server/src/platform/lane.test.ts";

const EXCLUDED = ["**/node_modules/**", "**/dist/**", "**/.types/**"];

const testsIn = (folders: string): string => `${folders}/**/*.test.{ts,tsx}`;

const project = (
  name: string,
  include: string[],
  options: TestProjectInlineConfiguration["test"],
): TestProjectInlineConfiguration => ({ extends: true, test: { name, include, ...options } });

export default defineConfig({
  plugins: [fairtickMessages()],
  test: {
    projects: [
      project(
        "programs",
        [
          testsIn("{scripts,apps/{server/src/roles,signer},packages/{postgres,test-chain,testkit}}"),
          MEASURES_ITS_PROCESS,
        ],
        {},
      ),
      project("features", [testsIn("apps/server/src/{features,platform,testing}")], {
        ...SHARED_WORKERS,
        exclude: [...EXCLUDED, MEASURES_ITS_PROCESS],
      }),
      project("rules", [testsIn("packages/{client,domain,i18n,protocol,transparency}")], SHARED_WORKERS),
      // A separate context for each file, in a worker that has loaded jsdom once.
      project("screens", [testsIn("{apps/{backoffice,member},packages/ui}")], {
        pool: "vmForks",
        setupFiles: ["packages/ui/src/testing.ts"],
      }),
    ],
    exclude: EXCLUDED,
    globalSetup: ["packages/testkit/src/global-setup.ts"],
    sequence: { sequencer: LongFirst },
    // For processes started by tests.
    env: { NODE_OPTIONS: withBundles() },
    // Tests mostly wait for a database, a chain or a process to start: three leave two cores idle a third of the time.
    maxWorkers: 4,
    // The timeouts only end tests that hang, so that a slow machine doesn't fail one.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
