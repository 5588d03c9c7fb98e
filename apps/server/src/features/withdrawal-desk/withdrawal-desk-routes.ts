import type { Verdict } from "@fairtick/domain";
import {
  reportWithdrawalTimes,
  type WithdrawalCase,
  withdrawalApprove,
  withdrawalApproveKey,
  withdrawalDetail,
  withdrawalKeys,
  withdrawalList,
  withdrawalProposeKey,
  withdrawalReject,
  withdrawalRejectKey,
  withdrawalRelease,
  withdrawalRevokeKey,
  withdrawalSettleShort,
  withdrawalWalletState,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute, type OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { releaseTake } from "../case-takes/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { announceWithdrawals, type MovedWithdrawal } from "../withdrawals/index.ts";
import { approveWithdrawal, rejectWithdrawal, releaseWithdrawal, settleShort } from "./decide-withdrawals.ts";
import { openSignerDoor, patientSigner } from "../signer/index.ts";
import { approveKey, listKeys, proposeKey, rejectKey, revokeKey } from "./payout-keys.ts";
import { listDesk, readCase } from "./read-desk.ts";
import { readWalletState, reportTimes } from "./report-payouts.ts";

/** The request of a verb that decides about a withdrawal. */
interface Decided {
  readonly db: Queryable;
  readonly session: OperatorSession;
  readonly input: { readonly withdrawNo: string };
  readonly afterCommit: (effect: () => void) => void;
}

/** Routes for the withdrawal queue, operators' keys and the paying wallets. */
export function withdrawalDeskRoutes(context: OperatorContext): OperatorRoute[] {
  const { config, bus } = context;
  const signer = config.signer === null ? null : openSignerDoor(config.signer);
  const shown = signer === null ? null : patientSigner(signer);

  /** Returns the case as it is after a verb. Ends the operator's take of it, and announces it after the commit. */
  async function after(
    { db, session, input, afterCommit }: Decided,
    moved: Verdict<MovedWithdrawal>,
  ): Promise<Verdict<WithdrawalCase>> {
    if (!moved.ok) return moved;
    await releaseTake(db, session, { queue: "withdrawals", caseNo: input.withdrawNo });
    afterCommit(() => announceWithdrawals(bus, [moved.value]));
    return readCase(db, config.chains, input.withdrawNo);
  }

  return [
    operatorRoute(withdrawalList, ({ db, input }) => listDesk(db, input)),
    operatorRoute(withdrawalDetail, ({ db, input }) => readCase(db, config.chains, input.withdrawNo)),
    operatorRoute(withdrawalApprove, async (asked) =>
      after(asked, await approveWithdrawal(asked.db, asked.session, asked.input)),
    ),
    operatorRoute(withdrawalReject, async (asked) =>
      after(asked, await rejectWithdrawal(context, asked.db, asked.session, asked.input)),
    ),
    operatorRoute(withdrawalRelease, async (asked) =>
      after(asked, await releaseWithdrawal(context, asked.db, asked.session, asked.input)),
    ),
    operatorRoute(withdrawalSettleShort, async (asked) =>
      after(asked, await settleShort(context, asked.db, asked.session, asked.input)),
    ),
    operatorRoute(withdrawalWalletState, ({ db, now }) => readWalletState(db, config.chains, shown, now)),
    operatorRoute(withdrawalKeys, ({ db }) => listKeys(db)),
    operatorRoute(withdrawalProposeKey, async ({ db, session, input, about }) => {
      const made = await proposeKey(context, db, session, input);
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(withdrawalApproveKey, ({ db, session, input }) => approveKey(signer, db, session, input)),
    operatorRoute(withdrawalRejectKey, ({ db, session, input }) => rejectKey(db, session, input)),
    operatorRoute(withdrawalRevokeKey, ({ db, session, input }) => revokeKey(signer, db, session, input)),
    operatorRoute(reportWithdrawalTimes, ({ db, input, now }) => reportTimes(db, now, input.days)),
  ];
}
