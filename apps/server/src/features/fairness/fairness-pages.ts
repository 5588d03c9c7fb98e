import type { FastifyInstance } from "fastify";
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
