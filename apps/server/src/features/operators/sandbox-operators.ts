import { createHash } from "node:crypto";
import type { OperatorRole } from "@fairtick/protocol/operator";
import { hashPassword } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";
import { hashOf, newToken } from "./operator-rows.ts";
import { toBase32, totpUri } from "./totp.ts";
import { sealTotpSecret } from "./totp-secret.ts";

export interface SeededOperator {
  readonly kind: "operator";
  /** What one logs in with. */
  readonly account: string;
  readonly password: string;
  /** Base 32, for an authenticator app. */
  readonly totpSecret: string;
  readonly totpUri: string;
  readonly roles: readonly OperatorRole[];
  readonly note: string;
}

/** Known to everyone who reads this file: such an operator exists in a sandbox alone. */
function sandboxSecret(login: string): Buffer {
  return createHash("sha256").update(`fairtick sandbox operator ${login}`).digest().subarray(0, 20);
}

function seeded(login: string, roles: readonly OperatorRole[], note: string): SeededOperator {
  const secret = sandboxSecret(login);
  return {
    kind: "operator",
    account: login,
    password: `lantern-orchid-${login}`,
    totpSecret: toBase32(secret),
    totpUri: totpUri(secret, login),
    roles,
    note,
  };
}

/** The sandbox's people behind the counter: two of each role whose work takes two. */
export const SEEDED_OPERATORS: readonly SeededOperator[] = [
  seeded("support-1", ["support"], "Support"),
  seeded("finance-1", ["finance"], "Finance"),
  seeded("finance-2", ["finance"], "Finance, the second person"),
  seeded("compliance-1", ["compliance"], "Compliance"),
  seeded("compliance-2", ["compliance"], "Compliance, the second person"),
  seeded("admin-1", ["admin"], "Admin"),
  seeded("admin-2", ["admin"], "Admin, the second person"),
  seeded("auditor-1", ["auditor"], "Auditor: reads all, changes nothing"),
];

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

/** Makes a sandbox's operators where there are none. */
export async function seedOperators(context: OperatorContext): Promise<void> {
  if (context.config.deployment !== "sandbox" || (await hasOperators(context))) return;
  const founders = await Promise.all(
    SEEDED_OPERATORS.map(async ({ account, password, roles }): Promise<Founder> => {
      const operatorId = context.ids.next();
      return newcomer(context, operatorId, account, roles, {
        passwordHash: await hashPassword(password),
        totpSecret: sealTotpSecret(sandboxSecret(account), context.config.secret, operatorId).toString("hex"),
      });
    }),
  );
  await found(context, founders);
}

/**
 * The first admins of a deployment without operators: from then on two people are needed for another. Answers where each
 * takes up his invitation, within 48 hours; nothing when there are operators.
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
