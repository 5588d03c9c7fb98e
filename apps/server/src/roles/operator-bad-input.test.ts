import { operatorAccess, OPERATOR_CALLS, type OperatorCall } from "@fairtick/protocol/operator";
import { brokenOperatorMessages } from "@fairtick/testkit/broken-operator-messages";
import { fuzzOperatorCall } from "@fairtick/testkit/fuzz-operator-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SANDBOX_LOGINS, sandboxOperators } from "../features/operators/index.ts";
import { createConsoleWorld, type ConsoleWorld } from "../testing/console-world.ts";

/** Makes every call of the back office with broken input derived from its schema, as a broken browser or an attacker would. */
let world: ConsoleWorld;
const cookies = new Map<string, string>();

beforeAll(async () => {
  world = await createConsoleWorld({ rateLimitFactor: 100_000 });
  for (const { account } of SANDBOX_LOGINS.filter(({ account: login }) => login.endsWith("-1")))
    cookies.set(account, await world.logIn(account));
});
afterAll(() => world.close());

/** Returns the cookie of an operator who may make the call. For calls of the second factor, they have given only the first one. */
async function cookieFor({ path }: OperatorCall): Promise<string> {
  const access = operatorAccess(path);
  if (access === "anyone") return "";
  if (access !== "password") return cookies.get(typeof access === "string" ? "admin-1" : `${access?.[0]}-1`) ?? "";
  const [, somebody] = sandboxOperators(world.context.config.dataDir);
  const first = await world.call("session/login", { login: somebody?.account, password: somebody?.password });
  return first.cookie?.split(";")[0] ?? "";
}

/** Tables that every request may change: it leaves a row in the audit trail and updates its session. */
const BY_ITSELF = ["audit_trail", "audit_head", "operator_sessions"];

async function contents(): Promise<Record<string, string>> {
  const { client } = world.builder;
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND relname <> ALL($1)",
    [BY_ITSELF],
  );
  const hashes: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await client.query<{ hash: string }>(
      `SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS hash FROM ${name} t`,
    );
    hashes[name] = found.rows[0]?.hash ?? "";
  }
  return hashes;
}

const CALLS = OPERATOR_CALLS.filter(({ file }) => file !== "upload");

describe("bad input to the back office", () => {
  it("is refused with the field's name, and nothing is written", { timeout: 240_000 }, async () => {
    const cookieOf = new Map<string, string>();
    for (const call of CALLS) cookieOf.set(call.path, await cookieFor(call));
    const before = await contents();
    let sent = 0;
    for (const call of CALLS) {
      const answers = await Promise.all(
        brokenOperatorMessages(call).map(async ({ body, field }) => ({
          field,
          body,
          answer: await world.call(call.path, body, cookieOf.get(call.path)),
        })),
      );
      for (const { field, body, answer } of answers) {
        const { fields } = answer.body.data as { fields?: Record<string, string> };
        expect([400, 422], `${call.path} ${field}: ${body.slice(0, 200)}`).toContain(answer.status);
        expect(Object.keys(fields ?? {}), `${call.path}: ${body.slice(0, 200)}`).toContain(field);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(1_000);
    expect(await contents()).toEqual(before);
  });

  it.each(["", "[]", "null", '"text"', "{", '{"a":1', "\u0000", '{"a":1}{"b":2}', "[".repeat(100_000)])(
    "is refused if it isn't a JSON object: %j",
    async (body) => {
      for (const path of ["deposit/credit", "correction/propose"])
        expect((await world.call(path, body, cookies.get("finance-1"))).status).toBe(400);
    },
  );

  // Calls that end sessions are left to the journeys. They have no fields, or the operator's own password.
  it.each(CALLS.filter(({ path }) => !/^(?:session|account)\//.test(path)).map((call) => [call.path, call] as const))(
    "never causes a fault of ours in %s",
    { timeout: 60_000 },
    async (_path, call) => {
      const cookie = await cookieFor(call);
      const send = async (message: string) => {
        const { status, body } = await world.call(call.path, message, cookie);
        return { status, data: body.data };
      };
      await expect(fuzzOperatorCall(call, { send, runs: 15 })).resolves.toBeUndefined();
    },
  );
});
