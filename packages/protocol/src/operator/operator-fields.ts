/** Fields of the back office's JSON messages. Amounts, rates and instants are texts, as in members' calls. */
import type { MicroUsd } from "@fairtick/domain";
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { OPERATOR_ROLES } from "./operator-call.ts";

export const role = v.picklist(OPERATOR_ROLES);
/** The operator's reason, from which a second person and an auditor can judge the action. */
export const reason = v.pipe(
  f.lines(500),
  v.check((text) => text.trim().length >= 3),
);
export const login = v.pipe(v.string(), v.maxLength(40), v.regex(/^[a-z0-9][a-z0-9.-]{1,39}$/));
/** USD with a sign; zero is invalid. */
export const signedUsd = v.pipe(
  v.string(),
  v.maxLength(16),
  v.regex(/^-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,2})?$/),
  v.transform((text): MicroUsd => {
    const below = text.startsWith("-");
    const [whole = "0", part = ""] = text.replace("-", "").split(".");
    const units = BigInt(whole + part.padEnd(6, "0"));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a nominal type is nothing but this assertion
    return (below ? -units : units) as MicroUsd;
  }),
  v.check((amount) => amount !== 0n),
);

/** An operator as others see them. */
export const person = v.object({ operatorId: s.text, login: s.text, name: s.text });
export type OperatorPerson = v.InferOutput<typeof person>;

/** Who decided on a case, from the audit trail. `what` is the last part of the call's path. */
export const decision = v.object({ by: person, at: s.time, what: s.text, reason: v.nullable(s.text) });

/** Fields that proposals of every kind have. */
export const proposal = {
  proposalId: s.text,
  state: v.picklist(["waiting", "approved", "rejected"]),
  madeBy: person,
  madeAt: s.time,
  reason: s.text,
  decidedBy: v.nullable(person),
  decidedAt: v.nullable(s.time),
  decisionReason: v.nullable(s.text),
};
export const listInput = {
  state: v.optional(v.picklist(["waiting", "done", "all"])),
  ...s.pageInput,
};
/** Input of a decision on a proposal. The reason is stored with it. */
export const decideInput = v.object({ proposalId: f.opaqueId, reason });
