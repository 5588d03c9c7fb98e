import { reportFairness } from "@fairtick/protocol/operator";
import type { FastifyInstance } from "fastify";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { FairnessReport } from "./read-fairness.ts";

/** `/fairness.json` for everybody, and `/fairness`, which leads to the app's page of it: that needs no login. */
export function addFairnessPages(app: FastifyInstance, report: FairnessReport): void {
  app.get("/fairness.json", async (_request, reply) =>
    reply
      .header("access-control-allow-origin", "*")
      .header("cross-origin-resource-policy", "cross-origin")
      .header("cache-control", "public, max-age=30")
      .send(await report.read()),
  );
  app.get("/fairness", (_request, reply) => reply.redirect("/#/pages/fairness/index", 302));
}

/** The same figures for the console: there is no other set of them. */
export function fairnessReportRoutes(report: FairnessReport): OperatorRoute[] {
  return [operatorRoute(reportFairness, () => report.read())];
}
