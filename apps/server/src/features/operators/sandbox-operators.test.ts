import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { hashPassword, passwordMatches } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";
import { sandboxOperators, seedOperators } from "./sandbox-operators.ts";
import { openTotpSecret } from "../../platform/second-factor/totp-secret.ts";
import { toBase32 } from "../../platform/second-factor/totp.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

const newFolder = () => mkdtempSync(join(tmpdir(), "fairtick-operators-"));

function over(dataDir: string): OperatorContext {
  const ids = createIdSource({ node: 1, clock: context.clock });
  return { ...context, config: { ...context.config, dataDir }, ids, consoleUrl: () => "http://127.0.0.1" };
}

/** Returns whether the operators in the database can log in with the credentials that this folder's page shows. */
async function fits(dataDir: string): Promise<boolean> {
  const rows = await context.databases.console.query<{
    login: string;
    password_hash: string;
    totp_secret: Buffer;
    operator_id: bigint;
  }>("SELECT login, password_hash, totp_secret, operator_id FROM operators");
  const judged = await Promise.all(
    sandboxOperators(dataDir).map(async ({ account, password, totpSecret }) => {
      const row = rows.find(({ login }) => login === account);
      if (row === undefined) return false;
      const secret = toBase32(
        openTotpSecret(row.totp_secret, context.config.secret, { side: "operator", id: row.operator_id }),
      );
      return secret === totpSecret && (await passwordMatches(row.password_hash, password));
    }),
  );
  return judged.every(Boolean);
}

describe("a sandbox's operators", () => {
  it("have their own secrets in each data folder, which stay the same at each start", () => {
    const [one, other] = [newFolder(), newFolder()];
    const first = sandboxOperators(one);
    expect(sandboxOperators(one)).toEqual(first);
    for (const [index, { password, totpSecret }] of sandboxOperators(other).entries()) {
      expect(password).not.toBe(first[index]?.password);
      expect(totpSecret).not.toBe(first[index]?.totpSecret);
    }
    expect(new Set(first.flatMap(({ password, totpSecret }) => [password, totpSecret])).size).toBe(2 * first.length);
    expect(statSync(join(one, "operators", "sandbox.key")).mode & 0o777).toBe(0o600);
  });

  it("can log in with the credentials on the folder's page from the first start on", async () => {
    const folder = newFolder();
    await seedOperators(over(folder));
    expect(await fits(folder)).toBe(true);
    await seedOperators(over(folder));
    expect(await fits(folder)).toBe(true);
  });

  it("get new secrets if the data folder lost its key, except those that they have changed themselves", async () => {
    const folder = newFolder();
    await seedOperators(over(folder));
    expect(await fits(folder)).toBe(true);
    await context.databases.console.query("UPDATE operators SET password_hash = $1 WHERE login = 'finance-1'", [
      await hashPassword("chosen-by-the-operator"),
    ]);
    await seedOperators(over(folder));
    expect(await fits(folder)).toBe(false);
  });
});
