import { reportFairness } from "@fairtick/protocol/operator";
import type { FastifyInstance } from "fastify";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { FairnessReport } from "./read-fairness.ts";

/**
 * Adds the public pages `/fairness.json` and `/fairness/2026-11-21.json` (one day), and `/fairness`, which redirects to the
 * app's page. None of them needs a login.
 */
export function addFairnessPages(app: FastifyInstance, report: FairnessReport): void {
  app.get("/fairness.json", async (_request, reply) =>
    reply
      .header("access-control-allow-origin", "*")
      .header("cross-origin-resource-policy", "cross-origin")
      .header("cache-control", "public, max-age=30")
      .send(await report.read()),
  );
  app.get("/fairness/:file", async (request, reply) => {
    const { file } = request.params as { file: string };
    const found = /^[0-9]{4}-[0-9]{2}-[0-9]{2}\.json$/.test(file) ? await report.readDay(file.slice(0, 10)) : null;
    const open = reply
      .header("access-control-allow-origin", "*")
      .header("cross-origin-resource-policy", "cross-origin")
      .header("cache-control", "public, max-age=30");
    return found === null ? open.code(404).type("text/plain; charset=utf-8").send("no such day\n") : open.send(found);
  });
  app.get("/fairness", (_request, reply) => reply.redirect("/#/pages/fairness/index", 302));
}

/** Routes that show the console the same figures as the public. */
export function fairnessReportRoutes(report: FairnessReport): OperatorRoute[] {
  return [operatorRoute(reportFairness, () => report.read())];
}
