import type { TestProject } from "vitest/node";
import { bundlePrograms } from "./programs/bundle-programs.ts";
import { startTestServer, type TestServer, type TestServerAddress } from "./test-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's PostgreSQL, or the reason why there is none, which the tests that need it report. */
    testServer: TestServerAddress | { readonly failure: string };
  }
}

/**
 * Starts one PostgreSQL for the whole test run, in which each test file gets a database of its own. At the same time it
 * bundles the programs that tests start, except in watch mode, in which the sources change.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundled = project.config.watch ? Promise.resolve() : bundlePrograms();
  let server: TestServer | undefined;
  try {
    server = await startTestServer();
    project.provide("testServer", { url: server.url, adminUrl: server.adminUrl });
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    project.provide("testServer", { failure });
  }
  return async () => {
    await bundled;
    await server?.stop();
  };
}
