import { resolve } from "node:path";
import { openDescriber } from "@fairtick/postgres";
import { cloneDatabase, startTestServer } from "@fairtick/testkit/test-server";
import { checkStatements, readStatementSources } from "./check-statements.ts";

/** Compares every statement with the schema, in a temporary PostgreSQL. */
const root = resolve(import.meta.dirname, "../..");
const server = await startTestServer();
try {
  const { url, drop } = await cloneDatabase(server);
  const describer = await openDescriber(url);
  const { problems, described } = await checkStatements(root, readStatementSources(root), describer);
  await describer.close();
  await drop();
  for (const problem of problems) console.log(problem);
  if (problems.length === 0) console.log(`${described} statements fit the schema.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  await server.stop();
}
