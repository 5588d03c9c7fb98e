import { accept, refuse } from "@fairtick/domain";
import { fundExport, fundRecords, userRefillPractice, userSummary } from "@fairtick/protocol";
import { csvFile } from "../../platform/csv.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { eachFundRecord, listFundRecords } from "./list-fund-records.ts";
import { readSummaries } from "./read-summary.ts";
import { wordRecords } from "./word-records.ts";
import { type RefillContext, refillPractice } from "./refill-practice.ts";

/** Routes for a member's money, except deposits and withdrawals. */
export function ledgerRoutes(context: RefillContext): Route[] {
  return [
    route(userSummary, async ({ input, session, now }) => {
      const [summary] = await readSummaries(context, session.memberId, now, [input.wallet]);
      return summary === undefined ? refuse("NOT_FOUND") : accept(summary);
    }),
    route(userRefillPractice, ({ input, session }) => refillPractice(context, session.memberId, input.clientId)),
    route(fundRecords, ({ input, session }) => listFundRecords(context, session.memberId, input)),
    route(fundExport, ({ input, session, lang }) => {
      const records = eachFundRecord(context, session.memberId, input);
      return csvFile("fairtick-funds.csv", EXPORT_COLUMNS, wordRecords(records, lang));
    }),
  ];
}

const EXPORT_COLUMNS = [
  "recordNo",
  "orderNo",
  "time",
  "currency",
  "type",
  "amount",
  "balanceAfter",
  "remark",
  "note",
  "fee",
  "state",
  "wallet",
] as const;
