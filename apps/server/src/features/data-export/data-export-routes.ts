import { Readable } from "node:stream";
import { userExportData } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { FileAnswer, type Route, route } from "../../platform/http/index.ts";
import type { Placing } from "../orders/index.ts";
import { judgeSecondFactor, spendSecondFactor, wrongFactor } from "../second-factor/index.ts";
import { checkLoginPassword, readAccount } from "../sessions/index.ts";
import { memberFiles } from "./member-files.ts";
import { zipOf } from "./zip-of.ts";

/** Route by which members download everything stored about them. */
export function dataExportRoutes(context: Context, placing: Placing): Route[] {
  return [
    route(userExportData, async ({ input, session, now, lang }) => {
      const pool = context.databases.sessions;
      const account = await readAccount(pool, session.memberId);
      const checked = await checkLoginPassword(pool, account, input.loginPassword, { ...session, now });
      if (!checked.ok) return checked;
      const ask = { purpose: "export", sessionId: session.sessionId, now } as const;
      const factor = await judgeSecondFactor(context, session.memberId, input.secondFactor, ask);
      if (!factor.ok) return factor;
      if (!(await spendSecondFactor(pool, session.memberId, factor.value, now))) return wrongFactor();
      const files = await memberFiles(context, placing, session.memberId, now, lang);
      return new FileAnswer(Readable.from(zipOf(files, now)), "application/zip", "fairtick-data.zip");
    }),
  ];
}
