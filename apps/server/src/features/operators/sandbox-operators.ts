import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OperatorRole } from "@fairtick/protocol/operator";
import { openSecretFile } from "../../platform/key-file.ts";
import { hashPassword } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";
import { hashOf, newToken } from "./operator-rows.ts";
import { fromBase32, toBase32, totpUri } from "../../platform/second-factor/totp.ts";
import { sealTotpSecret } from "../../platform/second-factor/totp-secret.ts";

export interface SeededOperator {
  readonly kind: "operator";
  /** The name that an operator logs in with. */
  readonly account: string;
  readonly password: string;
  /** Base 32, for an authenticator app. */
  readonly totpSecret: string;
  readonly totpUri: string;
  readonly roles: readonly OperatorRole[];
  readonly note: string;
}

/** Operators of a sandbox: two for each role whose work takes two people. */
export const SANDBOX_LOGINS: readonly {
  readonly account: string;
  readonly roles: readonly OperatorRole[];
  readonly note: string;
}[] = [
  { account: "support-1", roles: ["support"], note: "Support" },
  { account: "support-2", roles: ["support"], note: "Support, the second person" },
  { account: "finance-1", roles: ["finance"], note: "Finance" },
  { account: "finance-2", roles: ["finance"], note: "Finance, the second person" },
  { account: "compliance-1", roles: ["compliance"], note: "Compliance" },
  { account: "compliance-2", roles: ["compliance"], note: "Compliance, the second person" },
  { account: "admin-1", roles: ["admin"], note: "Admin" },
  { account: "admin-2", roles: ["admin"], note: "Admin, the second person" },
  { account: "auditor-1", roles: ["auditor"], note: "Auditor: reads all, changes nothing" },
];

const TOTP_BYTES = 20;
const PASSWORD_BYTES = 10;

/**
 * Makes the passwords and authenticator secrets of a sandbox's operators from a random key in the data folder, so that
 * knowing the source code isn't enough to log in. Makes the key if there is none.
 */
export function sandboxOperators(dataDir: string): readonly SeededOperator[] {
  const key = openSecretFile(keyPath(dataDir));
  const derive = (what: string, login: string, bytes: number) =>
    createHmac("sha256", key).update(`${what}\0${login}`).digest().subarray(0, bytes);
  return SANDBOX_LOGINS.map(({ account, roles, note }): SeededOperator => {
    const secret = derive("totp", account, TOTP_BYTES);
    const letters = toBase32(derive("password", account, PASSWORD_BYTES)).toLowerCase();
    return {
      kind: "operator",
      account,
      password: (letters.match(/.{4}/g) ?? []).join("-"),
      totpSecret: toBase32(secret),
      totpUri: totpUri(secret, account),
      roles,
      note,
    };
  });
}

function keyPath(dataDir: string): string {
  return join(dataDir, "operators", "sandbox.key");
}

interface Founder {
  readonly operatorId: string;
  readonly login: string;
  readonly name: string;
  readonly createdAt: string;
  readonly roles: readonly OperatorRole[];
  readonly passwordHash: string | null;
  readonly totpSecret: string | null;
  readonly inviteHash: string | null;
}

/**
 * Creates a sandbox's operators if there are none. If the data folder has lost its key, the existing ones get new
 * passwords and secrets, since no one has the old ones.
 */
export async function seedOperators(context: OperatorContext): Promise<void> {
  const { config, ids } = context;
  if (config.deployment !== "sandbox") return;
  const isKeyNew = !existsSync(keyPath(config.dataDir));
  const seeded = sandboxOperators(config.dataDir);
  const areThere = await hasOperators(context);
  if (areThere && isKeyNew) await renewOperators(context, seeded);
  if (areThere) return;
  const founders = await Promise.all(
    seeded.map(async ({ account, password, totpSecret, roles }): Promise<Founder> => {
      const operatorId = ids.next();
      return newcomer(context, operatorId, account, roles, {
        passwordHash: await hashPassword(password),
        totpSecret: sealTotpSecret(fromBase32(totpSecret), config.secret, {
          side: "operator",
          id: operatorId,
        }).toString("hex"),
      });
    }),
  );
  await found(context, founders);
}

async function renewOperators(
  { config, databases }: OperatorContext,
  seeded: readonly SeededOperator[],
): Promise<void> {
  for (const { account, password, totpSecret } of seeded) {
    const [row] = await databases.console.query<{ operator_id: bigint }>(
      "SELECT operator_id FROM operators WHERE login = $1",
      [account],
    );
    if (row === undefined) continue;
    await databases.console.query(
      "UPDATE operators SET password_hash = $2, totp_secret = $3, totp_step = 0 WHERE operator_id = $1",
      [
        row.operator_id,
        await hashPassword(password),
        sealTotpSecret(fromBase32(totpSecret), config.secret, { side: "operator", id: row.operator_id }),
      ],
    );
  }
}

/**
 * Invites the first admins of a deployment without operators. From then on, inviting another takes two people. Returns
 * their links, which are valid for 48 hours; nothing if there are operators.
 */
export async function inviteFounders(
  context: OperatorContext,
  logins: readonly string[],
): Promise<{ readonly login: string; readonly invitation: string }[]> {
  if (logins.length === 0 || (await hasOperators(context))) return [];
  const invited = logins.map((login) => ({ login, token: newToken() }));
  const founders = invited.map(({ login, token }) =>
    newcomer(context, context.ids.next(), login, ["admin"], { inviteHash: hashOf(token).toString("hex") }),
  );
  if (!(await found(context, founders))) return [];
  return invited.map(({ login, token }) => ({ login, invitation: `${context.consoleUrl()}/#/invitation/${token}` }));
}

function newcomer(
  context: OperatorContext,
  id: bigint,
  login: string,
  roles: readonly OperatorRole[],
  means: Partial<Founder>,
): Founder {
  return {
    operatorId: String(id),
    login,
    name: login,
    createdAt: String(context.clock.now()),
    roles,
    passwordHash: null,
    totpSecret: null,
    inviteHash: null,
    ...means,
  };
}

async function hasOperators({ databases }: OperatorContext): Promise<boolean> {
  return (await databases.console.query("SELECT 1 FROM operators LIMIT 1")).length > 0;
}

async function found({ databases }: OperatorContext, founders: readonly Founder[]): Promise<boolean> {
  const [row] = await databases.console.query<{ done: boolean }>("SELECT found_operators($1) AS done", [
    JSON.stringify(founders),
  ]);
  return row?.done ?? false;
}
