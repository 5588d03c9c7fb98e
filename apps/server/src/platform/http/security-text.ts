import type { Instant } from "@fairtick/domain";
import type { FastifyInstance } from "fastify";

/** How long the file is valid, as it states itself. */
const VALID_MS = 180n * 86_400_000n;

/**
 * Serves `/.well-known/security.txt` (RFC 9116), which says where to report vulnerabilities. Without a contact in the settings
 * there is no such file, since the RFC requires one.
 */
export function serveSecurityText(
  app: FastifyInstance,
  {
    contact,
    publicUrl,
    now,
  }: { readonly contact: string | null; readonly publicUrl: string; readonly now: () => Instant },
): void {
  if (contact === null) return;
  app.get("/.well-known/security.txt", (_request, reply) => {
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(Number(now() + VALID_MS)).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return reply.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
  });
}
