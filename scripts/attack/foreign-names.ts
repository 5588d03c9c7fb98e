import { connect } from "node:net";
import type { Attack, Outcome } from "./attack.ts";
import { DEVICE_HEADER, TOKEN_HEADER } from "./member.ts";
import { form } from "./request.ts";
import type { World } from "./world.ts";

/** Requests that name another host, come from another site's page, or name two hosts at once. */
export const foreignNames: Attack = { name: "foreign hosts and origins", run };

const FOREIGN = "attacker.example";

/** Records a fault if a request got another status than expected. */
type Judge = (what: string, got: number, wanted: number) => void;

async function run(world: World): Promise<Outcome> {
  const faults: string[] = [];
  let tried = 0;
  const judge: Judge = (what, got, wanted) => {
    tried += 1;
    if (got !== wanted) faults.push(`${what}: ${got}, not ${wanted}`);
  };
  await askForPages(world, judge);
  await callAsAMember(world, judge);
  await callAsAnOperator(world, judge);
  await nameTwoHosts(world, judge);
  await openStreams(world, judge);
  return { tried: `${tried} requests`, faults };
}

async function askForPages(world: World, judge: Judge): Promise<void> {
  const pages = ["/", "/dev/accounts", "/dev/inbox", "/health/ready", "/nowhere"];
  for (const path of pages) {
    const { status } = await world.caller.send(path, { method: "GET", headers: { host: FOREIGN } });
    judge(`${path} by another name`, status, 421);
  }
}

async function callAsAMember(world: World, judge: Judge): Promise<void> {
  const message = form({});
  const call = (headers: Readonly<Record<string, string>>) =>
    world.caller.send("/client/user/info", {
      ...message,
      headers: {
        ...message.headers,
        [TOKEN_HEADER]: world.owner.token(),
        [DEVICE_HEADER]: world.owner.device,
        ...headers,
      },
    });
  judge("a call by another name", (await call({ host: FOREIGN })).status, 421);
  judge("a call by an address that is another's", (await call({ host: "203.0.113.7" })).status, 421);
  judge("a call of another site's page", (await call({ origin: `http://${FOREIGN}` })).status, 403);
  judge("a call of a page without an origin", (await call({ origin: "null" })).status, 403);
  judge("a call that says it is another site's", (await call({ "sec-fetch-site": "cross-site" })).status, 403);
  for (const header of ["x-forwarded-for", "x-forwarded-host", "forwarded", "via"]) {
    const asked = { method: "GET", headers: { [header]: FOREIGN } };
    judge(`/dev/accounts with ${header}`, (await world.caller.send("/dev/accounts", asked)).status, 404);
  }
}

async function callAsAnOperator(world: World, judge: Judge): Promise<void> {
  const office = (headers: Readonly<Record<string, string>>) =>
    world.officeCaller.send("/operator/session/me", {
      headers: {
        "content-type": "application/json",
        origin: world.console,
        "x-fairtick-console": "1",
        cookie: world.operators.get("auditor")?.cookie() ?? "",
        ...headers,
      },
      body: "{}",
    });
  judge("the console by its own name", (await office({})).status, 200);
  judge("the console by another name", (await office({ host: FOREIGN })).status, 421);
  judge("the console from another site", (await office({ origin: `http://${FOREIGN}` })).status, 403);
  judge("the console from the members' origin", (await office({ origin: world.url })).status, 403);
  judge("the console without its page's header", (await office({ "x-fairtick-console": "" })).status, 403);
  judge("the console's page by another name", await statusOf(world.console, `Host: ${FOREIGN}`), 421);
}

async function nameTwoHosts(world: World, judge: Judge): Promise<void> {
  for (const base of [world.url, world.console]) {
    const { host } = new URL(base);
    judge(`${base} with two hosts`, await statusOf(base, `Host: ${host}\r\nHost: ${FOREIGN}`), 400);
    judge(`${base} with two hosts, the own one last`, await statusOf(base, `Host: ${FOREIGN}\r\nHost: ${host}`), 400);
    judge(`${base} without a host`, await statusOf(base, "X-Host: none"), 400);
  }
}

async function openStreams(world: World, judge: Judge): Promise<void> {
  const upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
  const own = `Host: ${new URL(world.url).host}`;
  const stream = (head: string) => statusOf(world.url, `${head}\r\n${upgrade}`, "/client/stream");
  judge("the stream by another name", await stream(`Host: ${FOREIGN}`), 421);
  judge("the stream from another site", await stream(`${own}\r\nOrigin: http://${FOREIGN}`), 403);
  judge("the stream by its own name", await stream(own), 101);
}

const ANSWER_MS_MAX = 30_000;

/**
 * Returns the status of a GET with these header lines, sent as they are; 0 if the connection ends without a response.
 */
function statusOf(base: string, head: string, path = "/"): Promise<number> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`));
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      heard += bytes.toString("latin1");
      if (heard.includes("\r\n")) socket.destroy();
    });
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0)));
  });
}
