import type { TestProject } from "vitest/node";
import { bundlePrograms } from "./programs/bundle-programs.ts";
import { startTestServer, type TestServer, type TestServerAddress } from "./test-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's PostgreSQL; or why there is none, said by the tests that need it. */
    testServer: TestServerAddress | { readonly failure: string };
  }
}

/**
 * One PostgreSQL for a whole test run; each test file takes a database of its own from it. Meanwhile the programs that tests
 * start are bundled; while somebody watches, they are not, since sources change then.
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
