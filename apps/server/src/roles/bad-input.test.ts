import { CALLS } from "@fairtick/protocol";
import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import { brokenMessages } from "@fairtick/testkit/broken-messages";
import { fuzzCall } from "@fairtick/testkit/fuzz-calls";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runServer, type RunningServer } from "../testing/running-server.ts";

let database: TestDatabase;
let server: RunningServer;
let reader: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await runServer(database, { RATE_LIMIT_FACTOR: "100000" });
  reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
});
afterAll(async () => {
  await reader.end();
  await server.stop();
  await database.drop();
});

async function signIn(): Promise<string> {
  const [demo] = server.accounts;
  const answer = await fetch(`${server.base}/client/auth/login`, {
    method: "POST",
    body: new URLSearchParams({ account: demo?.account ?? "", password: demo?.password ?? "" }),
  });
  const { data } = (await answer.json()) as { data: { access_token: string } };
  return data.access_token;
}

/** Tables that change without any request, because the public log's writer and the counting of outcomes write them. */
const BY_ITSELF = [
  "log_writer",
  "log_published",
  "log_checkpoints",
  "log_entries",
  "fairness_progress",
  "refusal_progress",
];

/** Returns a hash of each table's whole contents. */
async function contents(): Promise<Record<string, string>> {
  const { rows } = await reader.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND relname <> ALL($1)",
    [BY_ITSELF],
  );
  const hashes: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await reader.query<{ hash: string }>(
      `SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS hash FROM ${name} t`,
    );
    hashes[name] = found.rows[0]?.hash ?? "";
  }
  return hashes;
}

describe("bad input to the whole server", () => {
  it(
    "is refused with the field's name in the caller's language, and nothing is written",
    { timeout: 120_000 },
    async () => {
      const token = await signIn();
      const before = await contents();
      let sent = 0;
      for (const call of CALLS.filter(({ file }) => file !== "upload")) {
        await Promise.all(
          brokenMessages(call).map(async ({ body, field }) => {
            const answer = await fetch(`${server.base}/client/${call.path}`, {
              method: "POST",
              body,
              headers: { "content-type": "application/x-www-form-urlencoded", Lang: "fr_FR", exchange2508Token: token },
            });
            const { msg, data } = (await answer.json()) as { msg: string; data: { fields?: Record<string, string> } };
            expect([400, 422], `${call.path} ${field}: ${body.slice(0, 200)}`).toContain(answer.status);
            expect(Object.keys(data.fields ?? {}), `${call.path}: ${body.slice(0, 200)}`).toContain(field);
            expect(msg).not.toMatch(/^(Success|Enter|The field)/);
            sent += 1;
          }),
        );
      }
      expect(sent).toBeGreaterThan(1_000);
      expect(await contents()).toEqual(before);
    },
  );

  it.each(CALLS.map((call) => [call.path, call] as const))(
    "never causes a fault of ours in %s",
    { timeout: 60_000 },
    async (_path, call) => {
      await expect(fuzzCall(call, { baseUrl: server.base, token: signIn, runs: 40 })).resolves.toBeUndefined();
    },
  );
});
