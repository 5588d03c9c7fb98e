import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { withBundles } from "./packages/testkit/src/programs/bundle-programs.ts";
import { fairtickMessages } from "./packages/i18n/src/vite-plugin.ts";

/** Begun first: minutes of whole products that start and end. Last, they would keep one worker busy and leave the others idle. */
const LONG =
  /scripts\/(?:start|torture|attack|tamper-drill|backup|verify-product|reproducible-build|roles|develop\/develop)\.test|money-crash\/|start-postgres\.test/;

/** The long files, then each project's by how long they last took; on a fresh clone by size. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** A worker for many files, with modules of ours evaluated anew for each: see decision 27. */
const SHARED_WORKERS = { isolate: false, setupFiles: ["packages/testkit/src/fresh-modules.ts"] };

const project = (
  name: string,
  folders: string,
  options: TestProjectInlineConfiguration["test"],
): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [`${folders}/**/*.test.{ts,tsx}`], ...options },
});

export default defineConfig({
  plugins: [fairtickMessages()],
  test: {
    projects: [
      project("programs", "{scripts,apps/{server,signer},packages/{postgres,test-chain,testkit}}", {}),
      project("rules", "packages/{client,domain,i18n,protocol,transparency}", SHARED_WORKERS),
      // A context of its own for each file, in a worker that has read jsdom once.
      project("screens", "{apps/{backoffice,member},packages/ui}", {
        pool: "vmForks",
        setupFiles: ["packages/ui/src/testing.ts"],
      }),
    ],
    exclude: ["**/node_modules/**", "**/dist/**", "**/.types/**"],
    globalSetup: ["packages/testkit/src/global-setup.ts"],
    sequence: { sequencer: LongFirst },
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
