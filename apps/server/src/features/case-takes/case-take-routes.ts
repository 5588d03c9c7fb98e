import { accept, refuse, type Verdict } from "@fairtick/domain";
import {
  caseGiveBack,
  type CaseQueueName,
  caseTake,
  caseTakes,
  mayCall,
  type OperatorPath,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute, type OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { listTakes, releaseTake, takeCase } from "./take-case.ts";

/** A queue of another desk whose cases can be taken. */
export interface CaseQueue {
  /** The call that lists the queue. Who may make it sees who has taken which case. */
  readonly lists: OperatorPath;
  /** A call that decides cases. Only people who may make it can take one. */
  readonly decides: OperatorPath;
  /** Whether a case with this public id waits for a decision. */
  readonly isOpen: (db: Queryable, caseNo: string) => Promise<boolean>;
}

/**
 * Routes by which operators take cases and give them back. A take informs colleagues and refuses nothing: whoever may decide a
 * case still can. All refuse FORBIDDEN for a queue that the operator may not list or decide. Taking also refuses NOT_FOUND for a
 * case that isn't open.
 */
export function caseTakeRoutes(queues: Readonly<Record<CaseQueueName, CaseQueue>>): OperatorRoute[] {
  const allow = ({ roles }: OperatorSession, path: OperatorPath): Verdict<null> =>
    mayCall(path, roles) ? accept(null) : refuse("FORBIDDEN");
  return [
    operatorRoute(caseTakes, async ({ db, session, input, now }) => {
      const allowed = allow(session, queues[input.queue].lists);
      return allowed.ok ? accept(await listTakes(db, input.queue, now)) : allowed;
    }),
    operatorRoute(caseTake, async ({ db, session, input, now }) => {
      const allowed = allow(session, queues[input.queue].decides);
      if (!allowed.ok) return allowed;
      const isOpen = await queues[input.queue].isOpen(db, input.caseNo);
      return isOpen ? takeCase(db, session, input, now) : refuse("NOT_FOUND");
    }),
    operatorRoute(caseGiveBack, async ({ db, session, input }) => {
      const allowed = allow(session, queues[input.queue].decides);
      if (!allowed.ok) return allowed;
      await releaseTake(db, session, input);
      return accept(null);
    }),
  ];
}
