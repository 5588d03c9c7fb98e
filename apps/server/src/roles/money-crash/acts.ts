/**
 * The acts that move money, as a process of the house performs them. One process is killed by a test, and another one
 * continues after it. Both start from nothing but the tables, the chain and the signer's journal.
 */
import {
  createIdSource,
  type ClientId,
  type Instant,
  type MemberId,
  type MicroUsd,
  type Verdict,
} from "@fairtick/domain";
import { newMemory, watchRound } from "../../features/chain/watch-round.ts";
import { rescan } from "../../features/chain/rescan.ts";
import { watchParts } from "../../features/chain/start-watchers.ts";
import {
  approveCardDeposit,
  type CardWish,
  proposeCardDeposit,
  rejectCardDeposit,
} from "../../features/deposit-desk/card-deposits.ts";
import { creditDeposit, matchStatement, rejectDeposit } from "../../features/deposit-desk/decide-deposit.ts";
import { keepStatement } from "../../features/deposit-desk/import-statement.ts";
import { approveReversal, proposeReversal, rejectReversal } from "../../features/deposit-desk/reverse-deposit.ts";
import { resumeTakes, settleExact } from "../../features/deposit-desk/settle-exact.ts";
import { announceBankDeposit, putReceipt } from "../../features/deposits/bank-deposit.ts";
import { claimTransfer } from "../../features/deposits/claim-transfer.ts";
import { expireRemittances } from "../../features/deposits/index.ts";
import { cancelWithdrawal } from "../../features/withdrawals/cancel-withdrawal.ts";
import {
  type ApprovalGiven,
  approveWithdrawal,
  rejectWithdrawal,
  releaseWithdrawal,
  settleShort,
} from "../../features/withdrawal-desk/decide-withdrawals.ts";
import { newPayoutMemory } from "../../features/payouts/payout-parts.ts";
import { payoutRound } from "../../features/payouts/payout-round.ts";
import { requestWithdrawal } from "../../features/withdrawals/request-withdrawal.ts";
import { openSignerDoor } from "../../features/signer/signer-door.ts";
import { payoutParts } from "../../features/payouts/start-payouts.ts";
import { sweepRound } from "../../features/sweeps/sweep-round.ts";
import { createLocalBus } from "../../platform/bus.ts";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { systemClock } from "../../platform/clock.ts";
import { readConfig, type SignerAddress } from "../../platform/config.ts";
import { type OperatorSession, writeAudit } from "../../platform/console/index.ts";
import { type Context, openDatabases } from "../../platform/context.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { createLog } from "../../platform/log.ts";
import { keptMessages } from "../../platform/test-context.ts";

/** Where a process finds the database, the chain and the signer. */
export interface Places {
  readonly database: string;
  readonly chain: ChainSettings;
  readonly signer: SignerAddress;
  /** How far the process's clock is ahead of the others', in ms. */
  readonly aheadMs: bigint;
}

const ROUNDS_MAX = 8;

/**
 * Opens the acts for one process. What the process keeps in memory isn't needed afterwards: each opening begins without
 * it.
 */
export function openActs({ database, chain, signer: signerAddress, aheadMs }: Places, opened?: Context["databases"]) {
  const log = createLog("money-crash", "silent");
  const clock = { ...systemClock, now: () => (systemClock.now() + aheadMs) as Instant };
  // Each process has a separate node number. A server gets it from the database.
  const ids = createIdSource({ node: 1 + Math.floor(Math.random() * 890), clock: systemClock });
  const signer = openSignerDoor(signerAddress);
  const context = {
    config: { ...readConfig({ DATABASE_URL: database, LOG_LEVEL: "silent" }), chains: [chain] },
    databases: opened ?? openDatabases(database, log),
    bus: createLocalBus(() => undefined),
    clock,
    log,
    ids,
    signer,
    messenger: keptMessages().messenger,
    consoleUrl: () => "",
  };
  const { databases } = context;

  /** Runs a verb and writes its audit row in one transaction, as the console's stations do. */
  async function decide(
    action: string,
    session: OperatorSession,
    subject: string,
    verb: (db: Queryable) => Promise<Verdict<unknown>>,
  ): Promise<string> {
    let refusal = "";
    const done = databases.console.transaction(async (db) => {
      const verdict = await verb(db);
      if (!verdict.ok) {
        refusal = verdict.refusal.error;
        throw new Error(refusal);
      }
      const row = {
        session,
        ip: "::1",
        device: "",
        action,
        subject,
        reason: null,
        detail: "{}",
        outcome: "done",
      };
      await writeAudit(db, row);
      crashPoint("console.audited");
    });
    try {
      await done;
    } catch (error) {
      if (refusal === "") throw error;
      return refusal;
    }
    crashPoint("console.committed");
    return "done";
  }
  const said = (verdict: Verdict<unknown>) => (verdict.ok ? "done" : verdict.refusal.error);
  const now = () => clock.now();

  return {
    /** Reads the chain until there is nothing new. */
    async watch() {
      const parts = watchParts(context, chain);
      const memory = newMemory();
      while (await watchRound(parts, memory));
      return "done";
    },
    async rescan() {
      while (await rescan(watchParts(context, chain)));
      return "done";
    },
    /** Pays while a payment is in progress. `mine` adds blocks in between. */
    async pay({ mine }: { mine: () => Promise<void> }) {
      const parts = payoutParts(context, chain);
      const memory = newPayoutMemory();
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        await payoutRound(parts, memory);
        await mine();
        const open = await databases.payout.query(
          "SELECT 1 FROM withdrawals WHERE end_id IS NULL AND stage NOT IN ('review', 'needs_review')",
        );
        if (open.length === 0) break;
        memory.sentAt.clear();
      }
      return "done";
    },
    async sweep({ mine }: { mine: () => Promise<void> }) {
      const parts = payoutParts(context, chain);
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        await sweepRound(parts);
        await mine();
        const open = await databases.payout.query("SELECT 1 FROM sweeps WHERE stage NOT IN ('done', 'failed')");
        if (open.length === 0) break;
      }
      return "done";
    },
    request: async (asked: {
      memberId: MemberId;
      address: string;
      amount: MicroUsd;
      password: string;
      clientId: string;
    }) =>
      said(
        await requestWithdrawal(
          context,
          asked.memberId,
          { ...asked, chain: chain.chain, tradePassword: asked.password, clientId: asked.clientId as ClientId },
          now(),
        ),
      ),
    cancel: async ({ memberId, withdrawNo }: { memberId: MemberId; withdrawNo: string }) =>
      said(await cancelWithdrawal(context, memberId, withdrawNo)),
    approveWithdrawal: ({ session, ...given }: ApprovalGiven & { session: OperatorSession }) =>
      decide("withdrawal/approve", session, given.withdrawNo, (db) => approveWithdrawal(db, session, given)),
    rejectWithdrawal: ({ session, ...given }: { session: OperatorSession; withdrawNo: string; reason: string }) =>
      decide("withdrawal/reject", session, given.withdrawNo, (db) => rejectWithdrawal(context, db, session, given)),
    releaseWithdrawal: ({
      session,
      ...given
    }: {
      session: OperatorSession;
      withdrawNo: string;
      amount: MicroUsd;
      reason: string;
    }) =>
      decide("withdrawal/release", session, given.withdrawNo, (db) => releaseWithdrawal(context, db, session, given)),
    settleShort: ({
      session,
      ...given
    }: {
      session: OperatorSession;
      withdrawNo: string;
      amount: MicroUsd;
      reason: string;
    }) => decide("withdrawal/settleShort", session, given.withdrawNo, (db) => settleShort(context, db, session, given)),
    announce: async ({
      memberId,
      ...asked
    }: {
      memberId: MemberId;
      cardId: string;
      amount: MicroUsd;
      clientId: string;
    }) => said(await announceBankDeposit(context, memberId, asked, now())),
    receipt: async ({ memberId, ...asked }: { memberId: MemberId; depositNo: string; fileId: string }) =>
      said(await putReceipt(context, memberId, asked, now())),
    claim: async ({
      memberId,
      ...asked
    }: {
      memberId: MemberId;
      quantity: MicroUsd;
      fileId: string;
      clientId: string;
    }) => said(await claimTransfer(context, memberId, { ...asked, chain: chain.chain }, now())),
    async import({ session, xml }: { session: OperatorSession; xml: string }) {
      let settle: () => Promise<unknown> = () => Promise.resolve();
      const kept = await decide("deposit/importStatement", session, "statement", async (db) => {
        const done = await keepStatement(context, db, session, xml);
        if (done.ok) settle = () => settleExact(context, done.value, () => undefined);
        return done;
      });
      await settle();
      return kept;
    },
    /** Does what a server does when it starts. */
    resume: async () => {
      await resumeTakes(context, () => undefined, 0);
      return "done";
    },
    match: ({ session, ...asked }: { session: OperatorSession; depositNo: string; entryId: string }) =>
      decide("deposit/matchStatement", session, asked.depositNo, (db) =>
        matchStatement(context, db, session, asked, now()),
      ),
    credit: ({ session, ...asked }: { session: OperatorSession; depositNo: string; amount: MicroUsd }) =>
      decide("deposit/credit", session, asked.depositNo, (db) => creditDeposit(context, db, session, asked, now())),
    rejectDeposit: ({ session, ...asked }: { session: OperatorSession; depositNo: string; reason: string }) =>
      decide("deposit/reject", session, asked.depositNo, (db) => rejectDeposit(context, db, session, asked, now())),
    proposeCard: ({ session, ...wish }: CardWish & { session: OperatorSession }) =>
      decide("deposit/proposeCard", session, wish.memberId, (db) => proposeCardDeposit(context, db, session, wish)),
    approveCard: ({ session, ...what }: Decision) =>
      decide("deposit/approveCard", session, what.proposalId, (db) => approveCardDeposit(context, db, session, what)),
    rejectCard: ({ session, ...what }: Decision) =>
      decide("deposit/rejectCard", session, what.proposalId, (db) => rejectCardDeposit(db, session, what)),
    proposeReversal: ({ session, ...wish }: { session: OperatorSession; depositNo: string; reason: string }) =>
      decide("deposit/proposeReversal", session, wish.depositNo, (db) => proposeReversal(context, db, session, wish)),
    approveReversal: ({ session, ...what }: Decision) =>
      decide("deposit/approveReversal", session, what.proposalId, (db) => approveReversal(context, db, session, what)),
    rejectReversal: ({ session, ...what }: Decision) =>
      decide("deposit/rejectReversal", session, what.proposalId, (db) => rejectReversal(db, session, what)),
    expire: async () => {
      await expireRemittances(context);
      return "done";
    },
  };
}

interface Decision {
  readonly session: OperatorSession;
  readonly proposalId: string;
  readonly amount: MicroUsd;
  readonly reason: string;
}

export type Acts = ReturnType<typeof openActs>;
export type ActName = keyof Acts;
/** The input of an act, without the parts that can't be sent to another process. */
export type Told<Name extends ActName> = Parameters<Acts[Name]> extends [infer Given] ? Omit<Given, "mine"> : object;
