import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientId, keyStatement, type MemberId, type MicroUsd, paymentStatement } from "@fairtick/domain";
import {
  parseRules,
  payoutAddress,
  readSeed,
  type RunningSigner,
  type SignerSettings,
  startSigner,
} from "@fairtick/signer";
import { callNode, mintTo } from "@fairtick/test-chain";
import { createPublicClient, erc20Abi, type Hex, http } from "viem";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ChainWorld, createChainWorld } from "../chain/test-world.ts";
import { setFirstTradePassword } from "../sessions/testing.ts";
import { newPayoutMemory, type PayoutMemory, type PayoutParts } from "./payout-parts.ts";
import { payoutRound } from "./payout-round.ts";
import { requestWithdrawal } from "../withdrawals/request-withdrawal.ts";
import { openSignerDoor, type SignerDoor } from "../signer/signer-door.ts";
import { payoutParts } from "./start-payouts.ts";
import type { WithdrawalContext } from "../withdrawals/withdrawal-context.ts";
import { paymentOf, parseWithdrawNo, WITHDRAWAL_SELECT, type WithdrawalRow } from "../withdrawals/withdrawal-view.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const PASSWORD = "482915";
const MNEMONIC = "legal winner thank year wave sausage worth useful legal winner thank yellow";

export const usd = (amount: number) => (BigInt(Math.round(amount * 100)) * 10_000n) as MicroUsd;

/** An operator with a live session and a signing key that the signer trusts. */
export interface Approver {
  readonly sessionId: bigint;
  readonly keyId: string;
  sign(bytes: Uint8Array): Promise<string>;
}

/** A real chain, a real signer with money, and members who can withdraw. */
export interface PayoutWorld {
  readonly chain: ChainWorld;
  readonly context: WithdrawalContext;
  readonly signer: RunningSigner;
  readonly door: SignerDoor;
  /** The signer's folder, with its seed and journal. */
  readonly folder: string;
  readonly parts: PayoutParts;
  readonly memory: PayoutMemory;
  /** Makes a new member request a withdrawal to their own address, on this chain or on another that a context knows. Returns the withdrawal. */
  ask(
    amount: number,
    on?: { readonly chain: string; readonly context: WithdrawalContext },
  ): Promise<{ readonly memberId: MemberId; readonly id: bigint; readonly address: Hex }>;
  row(id: bigint): Promise<WithdrawalRow>;
  /** Runs a round of paying and mines a block with what it sent. */
  round(change?: Partial<PayoutParts>): Promise<void>;
  rounds(count: number): Promise<void>;
  /** Token balance of an address as an independent client reads it, in the token's smallest unit. */
  tokensOf(address: Hex): Promise<bigint>;
  /** Makes an approver. The signer trusts them because a colleague signed for their key; the first one needs no colleague. */
  newApprover(colleague?: Approver): Promise<Approver>;
  /** Signs what the row asks for and submits it, as the console does. Returns the stage afterwards. */
  approve(by: Approver, id: bigint): Promise<string | null>;
  restartSigner(): Promise<void>;
  /** Stops the signer, runs `work` with its settings, and starts it again in the same place. */
  withoutSigner(work: (settings: SignerSettings) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function createPayoutWorld(
  change: Partial<ChainSettings> = {},
  rules: Readonly<Record<string, unknown>> = {},
  /** More chains that the signer pays on. */
  others: readonly Readonly<Record<string, unknown>>[] = [],
): Promise<PayoutWorld> {
  const chain = await createChainWorld(change);
  await chain.watch();
  const folder = mkdtempSync(join(tmpdir(), "payout-"));
  writeFileSync(join(folder, "mnemonic"), MNEMONIC);
  const genesis = (await callNode(chain.anvil.url, "eth_getBlockByNumber", ["0x0", false])) as { hash: string };
  const allowed = {
    chains: [{ chain: "31337", genesis: genesis.hash, token: chain.tokens.noReturn }, ...others],
    trustFirstKey: true,
    ...rules,
  };
  const settings = { port: 0, secret: SECRET, folder, rules: parseRules(JSON.stringify(allowed)) };
  let signer = await startSigner(settings, systemClock);
  const wallet = payoutAddress(readSeed(folder));
  await mintTo(chain.anvil.url, chain.tokens.noReturn, wallet, 1_000_000_000_000n);
  await callNode(chain.anvil.url, "anvil_setBalance", [wallet, "0xde0b6b3a7640000"]);
  await chain.mine();
  const door = openSignerDoor({ url: signer.url, secret: SECRET });
  const context: WithdrawalContext = { ...chain.context, ids: chain.parts.ids, signer: door };
  const parts = payoutParts({ ...context, signer: door }, chain.settings);
  const memory = newPayoutMemory();
  const client = createPublicClient({ transport: http(chain.anvil.url) });
  const { client: sql } = chain.build;
  let made = 0;

  async function row(id: bigint): Promise<WithdrawalRow> {
    const [found] = await chain.context.databases.reader.query<WithdrawalRow>(
      `${WITHDRAWAL_SELECT} WHERE w.withdrawal_id = $1`,
      [id],
    );
    if (found === undefined) throw new Error(`no withdrawal ${id}`);
    return found;
  }
  async function round(change_: Partial<PayoutParts> = {}): Promise<void> {
    await payoutRound({ ...parts, signer: world.door, ...change_ }, memory);
    await chain.mine();
    await chain.watch();
  }

  const world: PayoutWorld = {
    chain,
    context,
    parts,
    memory,
    get signer() {
      return signer;
    },
    door,
    folder,
    async ask(amount: number, on = { chain: "test", context }) {
      made += 1;
      // Calls can overlap: `made` may have grown before this one needs its number.
      const number = made;
      const memberId = (await chain.build.createMember({ real: usd(amount), tradePassword: false })) as MemberId;
      await setFirstTradePassword(context, memberId, PASSWORD, systemClock.now());
      const digest = createHash("sha256").update(`${process.pid} ${Date.now()} ${number}`).digest("hex");
      const address: Hex = `0x${digest.slice(0, 40)}`;
      const wish = {
        chain: on.chain,
        address,
        amount: usd(amount),
        tradePassword: PASSWORD,
        clientId: `payout-${number}-${process.pid}` as ClientId,
      };
      const asked = await requestWithdrawal(on.context, memberId, wish, systemClock.now());
      if (!asked.ok) throw new Error(asked.refusal.error);
      return { memberId, id: parseWithdrawNo(asked.value.withdrawNo) ?? 0n, address };
    },
    row,
    round,
    async rounds(count: number) {
      for (let number = 0; number < count; number += 1) await round();
    },
    tokensOf: (address: Hex) =>
      client.readContract({
        address: chain.tokens.noReturn as Hex,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [address],
      }),
    async newApprover(colleague?: Approver): Promise<Approver> {
      made += 1;
      const operator = 7_000n + BigInt(made);
      const sessionId = operator + 1_000_000n;
      await sql.query(
        "INSERT INTO operators (operator_id, login, name, created_at) VALUES ($1::bigint, 'person-' || $1::bigint, 'x', 0)",
        [operator],
      );
      await sql.query("INSERT INTO operator_roles (operator_id, role) VALUES ($1, 'finance')", [operator]);
      await sql.query(
        `INSERT INTO operator_sessions (session_id, operator_id, token_hash, ip, device, created_at, seen_at, expires_at, verified_at)
         VALUES ($1::bigint, $2, sha256($1::bigint::text::bytea), 'x', 'x', 0, 0, 9e15::bigint, 1)`,
        [sessionId, operator],
      );
      const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
      const raw = Buffer.from(await crypto.subtle.exportKey("raw", pair.publicKey));
      const publicKey = raw.toString("base64url");
      const keyId = createHash("sha256").update(raw).digest("hex");
      const proposal = operator + 2_000_000n;
      await sql.query(
        `INSERT INTO proposals (proposal_id, kind, made_by, made_session, made_at, reason, body)
         VALUES ($1, 'payout_key', $2, $3, 0, 'a key', '{}')`,
        [proposal, operator, sessionId],
      );
      await sql.query(
        "INSERT INTO operator_keys (key_id, operator_id, public_key, proposal_id, enrolled_at) VALUES ($1, $2, $3, $4, 0)",
        [keyId, operator, publicKey, proposal],
      );
      const sign = async (bytes: Uint8Array) =>
        Buffer.from(
          await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, new Uint8Array(bytes)),
        ).toString("base64url");
      const enrolment = { operator: `opr_${operator}`, publicKey };
      const approval = colleague && {
        keyId: colleague.keyId,
        signature: await colleague.sign(keyStatement(enrolment)),
      };
      const believed = await door.enrol(enrolment.operator, publicKey, approval ?? null);
      if (!believed.ok) throw new Error(believed.detail);
      return { sessionId, keyId, sign };
    },
    async approve(by: Approver, id: bigint): Promise<string | null> {
      const asked = await row(id);
      const signature = await by.sign(paymentStatement(paymentOf(asked)));
      const [answer] = await chain.context.databases.console.query<{ stage: string | null }>(
        "SELECT approve_withdrawal($1, $2, $3, $4, $5, 'seen and agreed') AS stage",
        [by.sessionId, id, asked.digest, by.keyId, signature],
      );
      return answer?.stage ?? null;
    },
    restartSigner: () => world.withoutSigner(() => Promise.resolve()),
    async withoutSigner(work: (settings: SignerSettings) => Promise<void>) {
      const same = { ...settings, port: Number(new URL(signer.url).port) };
      await signer.close();
      try {
        await work(same);
      } finally {
        signer = await startSigner(same, systemClock);
      }
    },
    async close() {
      await signer.close();
      rmSync(folder, { recursive: true });
      await chain.close();
    },
  };
  return world;
}

export const SIGNER_SECRET = SECRET;
