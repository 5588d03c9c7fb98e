import type { MemberId } from "@fairtick/domain";
import { register, sendCode, type SessionContext, setTradePassword } from "../sessions/index.ts";
import type { Inbox } from "./inbox.ts";

export interface SeededAccount {
  readonly kind: "member";
  /** The e-mail address or phone number to log in with. */
  readonly account: string;
  readonly password: string;
  readonly tradePassword: string | null;
  readonly region: string;
  readonly note: string;
}

/** Accounts of a sandbox. Their passwords aren't secret, since they exist only in a sandbox and hold play money. */
export const SEEDED_ACCOUNTS: readonly SeededAccount[] = [
  {
    kind: "member",
    account: "demo@fairtick.example",
    password: "lantern-orchid-demo",
    tradePassword: "246810",
    region: "BR",
    note: "Both wallets, transaction password set",
  },
  {
    kind: "member",
    account: "practice@fairtick.example",
    password: "lantern-orchid-practice",
    tradePassword: "135790",
    region: "DE",
    note: "Region with the practice wallet alone",
  },
  {
    kind: "member",
    account: "+5511987654321",
    password: "lantern-orchid-phone",
    tradePassword: null,
    region: "BR",
    note: "By phone number, no transaction password yet",
  },
];

const CODE_WAIT_MS = 5_000;

/** What the lists of devices and attempts show for the seeded registrations. */
const VISITOR = { ip: "127.0.0.1", lang: "en", userAgent: "" } as const;

/**
 * Creates the seeded accounts that don't exist yet, as a person would: requests a code, reads it in the inbox and registers.
 * Running it again changes nothing.
 */
export async function seedAccounts(context: SessionContext, inbox: Inbox): Promise<void> {
  for (const seed of SEEDED_ACCOUNTS) {
    const [known] = await context.databases.sessions.query("SELECT 1 FROM members WHERE phone = $1 OR email = $1", [
      seed.account,
    ]);
    if (known !== undefined) continue;
    const refused = await seedAccount(context, inbox, seed);
    if (refused !== null) context.log.warn({ account: seed.account, refused }, "a seeded account could not be created");
  }
}

async function seedAccount(
  context: SessionContext,
  inbox: Inbox,
  { account, password, tradePassword, region }: SeededAccount,
): Promise<string | null> {
  const channel = account.startsWith("+") ? "phone" : "email";
  const sent = await sendCode(
    context,
    { channel, to: account, region, purpose: "register" },
    { ...VISITOR, now: context.clock.now() },
  );
  if (!sent.ok) return sent.refusal.error;
  const code = await waitForCode(inbox, account);
  if (code === null) return "no code came";
  const now = context.clock.now();
  const registration = {
    region,
    channel,
    address: account,
    code,
    password,
    confirmPassword: password,
    acceptTerms: true,
  } as const;
  const registered = await register(context, registration, { ...VISITOR, now });
  if (!registered.ok) return registered.refusal.error;
  if (tradePassword === null) return null;
  const [member] = await context.databases.sessions.query<{ member_id: MemberId }>(
    "SELECT member_id FROM members WHERE phone = $1 OR email = $1",
    [account],
  );
  if (member === undefined) return "no member";
  const set = await setTradePassword(
    context,
    { password: tradePassword, confirmPassword: tradePassword, loginPassword: password },
    // There is no session. Attempts are counted by session, and nobody else has session 0.
    { memberId: member.member_id, sessionId: 0n, now },
  );
  return set.ok ? null : set.refusal.error;
}

async function waitForCode(inbox: Inbox, account: string): Promise<string | null> {
  for (let waitedMs = 0; waitedMs < CODE_WAIT_MS; waitedMs += 20) {
    const code = inbox.messages(account)[0]?.code;
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}
