import type { FastifyInstance } from "fastify";
import type { VerifierTarball } from "./read-verifier.ts";

const TEXT = "text/plain; charset=utf-8";

/**
 * Adds the pages `/verifier.tgz` and `/verifier.tgz.sha256`, which anyone can read. `npx --yes <address>/verifier.tgz
 * verify receipt.json` runs the verifier in an empty folder. The second page is a line in the format of `sha256sum
 * --check`. Both answer 404 if no verifier was packed.
 */
export function addVerifierPages(app: FastifyInstance, verifier: VerifierTarball | null): void {
  app.get("/verifier.tgz", { exposeHeadRoute: true }, (_request, reply) => {
    if (verifier === null) return reply.code(404).type(TEXT).send("no verifier was packed\n");
    return reply
      .header("cache-control", "no-cache")
      .header("etag", `"${verifier.sha256}"`)
      .type("application/gzip")
      .send(verifier.bytes);
  });
  app.get("/verifier.tgz.sha256", (_request, reply) => {
    void reply.header("cache-control", "no-cache").header("access-control-allow-origin", "*").type(TEXT);
    if (verifier === null) return reply.code(404).send("no verifier was packed\n");
    return reply.send(`${verifier.sha256}  verifier.tgz\n`);
  });
}
