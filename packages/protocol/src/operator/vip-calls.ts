import { parseHours } from "@fairtick/domain";
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { person, reason } from "./operator-fields.ts";

export const vipPerson = v.object({ ...person.entries, hours: v.nullable(s.text), members: s.count });
export type VipPerson = v.InferOutput<typeof vipPerson>;

export const vipList = defineOperatorCall({
  path: "vip/list",
  summary:
    "Lists the people of support with their hours and their numbers of assigned members. `hours` is null for those who use customer service’s.",
  input: v.object({}),
  output: v.array(vipPerson),
  limit: "read",
});

export const vipSetHours = defineOperatorCall({
  path: "vip/setHours",
  summary:
    "Sets the operator's own hours in UTC, `24/7` or `Mo-Fr 08:00-16:00; Sa 10:00-14:00`, which their assigned members see. Without them, customer service’s hours apply.",
  input: v.object({
    hours: v.optional(
      v.pipe(
        f.line(200),
        v.check((text) => parseHours(text) !== null),
      ),
    ),
  }),
  output: s.nothing,
  limit: "write",
});

export const memberAssignVip = defineOperatorCall({
  path: "member/assignVip",
  summary: "Assigns a person of support to a verified member's post, or no one if no operator is named.",
  input: v.object({
    memberId: f.opaqueId,
    post: v.picklist(["manager", "analyst"]),
    operatorId: v.optional(f.opaqueId),
    reason,
  }),
  output: s.nothing,
  limit: "write",
  subject: "memberId",
});

export const memberFile = v.object({
  fileId: s.text,
  purpose: v.picklist(["receipt", "identity", "support"]),
  bytes: s.count,
  madeAt: s.time,
  /** Id of the deposit or identity case it belongs to: `dep_…` or `idn_…`. */
  claimedBy: v.nullable(s.text),
  /** File name of a document; null for a picture. */
  name: v.nullable(s.text),
});
export type MemberFile = v.InferOutput<typeof memberFile>;

export const memberFiles = defineOperatorCall({
  path: "member/files",
  summary:
    "Lists what a member submitted, newest first. The pictures themselves come from `file/view`, if the operator's role allows it.",
  input: v.object({ memberId: f.opaqueId }),
  output: v.array(memberFile),
  limit: "read",
  subject: "memberId",
});
