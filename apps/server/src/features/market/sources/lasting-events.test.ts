import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, it } from "vitest";
import { openLastingEvents } from "./lasting-events.ts";

it("waits longer each time for a server that sends one event and closes", async () => {
  let connections = 0;
  const server = createServer((_request, response) => {
    connections += 1;
    response.writeHead(200, { "content-type": "text/event-stream" }).end("data: {}\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const events: string[] = [];
  const open = openLastingEvents({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    name: "a",
    log: pino({ level: "silent" }),
    headers: {},
    onData: (data) => events.push(data),
    onMalformed: () => undefined,
    silenceMsMax: 4_000,
  });
  await new Promise((resolve) => setTimeout(resolve, 2_600));
  await open.stop();
  await new Promise((resolve) => server.close(resolve));
  // At 0, 250, 750 and 1,750 ms, each up to a quarter later.
  expect(connections).toBeGreaterThan(2);
  expect(connections).toBeLessThanOrEqual(4);
  expect(events).toHaveLength(connections);
});
