import { accept, parseId, refuse } from "@fairtick/domain";
import {
  memberAssignVip,
  memberDecideLiftFreeze,
  memberDetail,
  memberFiles,
  memberKeepFactor,
  memberLedger,
  memberLift,
  memberList,
  memberOrders,
  memberProposeLiftFreeze,
  memberRemoveFactor,
  memberReviewStanding,
  memberSuspend,
  vipList,
  vipSetHours,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import { listFundRecords } from "../ledger/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { listHistory, listPositions } from "../orders/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { liftSuspension, reviewStanding, suspendMember } from "./change-standing.ts";
import { sendWarning } from "../security-notices/index.ts";
import { decideLiftFreeze, proposeLiftFreeze } from "./lift-freeze.ts";
import { keepFactor, removeLostFactor } from "./lost-factor.ts";
import { assignVip, listMemberFiles, listVipPeople } from "./vip.ts";
import { listMembers, readMemberDetail } from "./read-members.ts";

/** Routes for members as operators see them: who they are, what they did, and their standing. */
export function memberDeskRoutes(context: OperatorContext, configs: TradingConfigs): OperatorRoute[] {
  return [
    ...readRoutes(context, configs),
    ...vipRoutes(context),
    ...standingRoutes(context),
    ...freezeRoutes(context),
    ...factorRoutes(context),
  ];
}

function readRoutes(context: OperatorContext, configs: TradingConfigs): OperatorRoute[] {
  const reading = { databases: context.databases, configs };
  return [
    operatorRoute(memberList, ({ db, input, now }) => listMembers(db, input, now)),
    operatorRoute(memberDetail, ({ db, input, now }) => readMemberDetail(db, input.memberId, now)),
    operatorRoute(memberLedger, ({ input }) => {
      const memberId = parseId("member", input.memberId);
      return memberId === null ? refuse("NOT_FOUND") : listFundRecords(context, memberId, { ...input, kind: "all" });
    }),
    operatorRoute(memberOrders, async ({ input }) => {
      const memberId = parseId("member", input.memberId);
      if (memberId === null) return refuse("NOT_FOUND");
      const list = input.state === "running" ? listPositions : listHistory;
      const page = await list(reading, memberId, input);
      return page.ok ? accept({ items: page.value.items, nextCursor: page.value.nextCursor }) : page;
    }),
    operatorRoute(memberFiles, ({ db, input }) => listMemberFiles(db, input.memberId)),
  ];
}

function vipRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(vipList, ({ db }) => listVipPeople(db)),
    operatorRoute(vipSetHours, async ({ db, session, input }) => {
      await db.query("SELECT set_own_hours($1, $2)", [session.sessionId, input.hours ?? null]);
      return accept(null);
    }),
    operatorRoute(memberAssignVip, async ({ db, session, input, afterCommit }) => {
      const done = await assignVip(db, session, input);
      if (!done.ok) return done;
      afterCommit(() => context.bus.publish("identities", { members: [done.value] }));
      return accept(null);
    }),
  ];
}

function standingRoutes(context: OperatorContext): OperatorRoute[] {
  const announce = (memberId: bigint) => () => context.bus.publish("accounts", { members: [memberId] });
  return [
    operatorRoute(memberSuspend, async ({ db, session, input, afterCommit }) => {
      const done = await suspendMember(context, db, session, input);
      if (!done.ok) return done;
      afterCommit(announce(done.value));
      return accept(null);
    }),
    operatorRoute(memberLift, async ({ db, session, input, afterCommit }) => {
      const done = await liftSuspension(context, db, session, input);
      if (!done.ok) return done;
      afterCommit(announce(done.value.memberId));
      return accept({ done: done.value.done });
    }),
    operatorRoute(memberReviewStanding, async ({ db, session, input, afterCommit }) => {
      const done = await reviewStanding(db, session, input);
      if (!done.ok) return done;
      afterCommit(announce(done.value));
      return accept(null);
    }),
  ];
}

/** Routes for lifting a freeze that a member put on their own withdrawals. */
function freezeRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(memberProposeLiftFreeze, ({ db, session, input }) => proposeLiftFreeze(context, db, session, input)),
    operatorRoute(memberDecideLiftFreeze, async ({ db, session, input, now, afterCommit }) => {
      const done = await decideLiftFreeze(context, db, session, { ...input, now });
      if (!done.ok) return done;
      const warning = done.value;
      if (warning !== null) afterCommit(() => sendWarning(context, warning));
      return accept(null);
    }),
  ];
}

function factorRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(memberRemoveFactor, async ({ db, session, input, afterCommit }) => {
      const removed = await removeLostFactor(context, db, session, input);
      if (!removed.ok) return removed;
      const { done, warnings } = removed.value;
      afterCommit(() => {
        for (const warning of warnings) sendWarning(context, warning);
      });
      return accept({ done });
    }),
    operatorRoute(memberKeepFactor, ({ db, session, input }) => keepFactor(db, session, input)),
  ];
}
