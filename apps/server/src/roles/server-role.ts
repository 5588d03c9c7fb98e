import { createServer } from "node:http";
import type { Process } from "../platform/context.ts";
import type { Started } from "../platform/family.ts";

/** Starts everything but the market: calls, stream, settlement, jobs. */
export async function startServerRole({ config, databases, health, shutdown }: Process): Promise<Started> {
  await databases.reader.query("SELECT 1");
  const server = createServer((request, response) => {
    const problems = Object.entries(health.waiting()).map(([part, reason]) => `${part}: ${reason}`);
    if (request.url === "/health/live") response.writeHead(200).end('{"live":true}');
    else if (request.url === "/health/ready") {
      response.writeHead(health.ready() ? 200 : 503).end(JSON.stringify({ ready: health.ready(), problems }));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  shutdown.add("http", () => {
    server.closeAllConnections();
    server.close();
  });
  return { places: [{ what: "Calls", where: `${config.publicUrl}/client` }] };
}
