/** Calls by which operators show each other who is working on a case. */
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { person } from "./operator-fields.ts";

/** Queues whose cases can be taken. Chats are assigned instead (`support/assign`). */
const caseQueue = v.picklist(["deposits", "withdrawals", "identities"]);
export type CaseQueueName = v.InferOutput<typeof caseQueue>;

export const caseTaken = v.object({
  caseNo: s.text,
  by: person,
  /** When the take ends, unless the case is decided or given back earlier. */
  until: s.time,
});
export type CaseTaken = v.InferOutput<typeof caseTaken>;

const ofCase = v.object({ queue: caseQueue, caseNo: f.opaqueId });

export const caseTakes = defineOperatorCall({
  path: "case/list",
  summary: "Lists cases of a queue that operators have taken.",
  input: v.object({ queue: caseQueue }),
  output: v.array(caseTaken),
  limit: "read",
  unrecorded: true,
});

export const caseTake = defineOperatorCall({
  path: "case/take",
  summary:
    "Takes an open case for ten minutes, or extends the operator's own take. Refused with CONFLICT[by, until] while someone else has it.",
  input: ofCase,
  output: caseTaken,
  limit: "write",
  unrecorded: true,
});

export const caseGiveBack = defineOperatorCall({
  path: "case/giveBack",
  summary: "Gives a taken case back. Does nothing to someone else's.",
  input: ofCase,
  output: s.nothing,
  limit: "write",
  unrecorded: true,
});
