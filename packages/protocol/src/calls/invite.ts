import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as s from "../shapes.ts";

export const inviteInfo = defineCall({
  path: "invite/info",
  access: "member",
  summary: "Returns the member's invitation and the rewards it earned.",
  input: v.object({}),
  output: v.object({ code: s.text, url: s.text, invited: s.count, rewardRate: s.rateText, earned: s.money }),
  idempotent: true,
  limit: "read",
});

export const inviteList = defineCall({
  path: "invite/list",
  access: "member",
  summary: "Lists the people the member invited, newest first.",
  input: v.object(s.pageInput),
  output: s.page(v.object({ username: s.text, joinedAt: s.time, earned: s.money })),
  idempotent: true,
  limit: "read",
});
