import { connect } from "node:net";
import type { Attack, Outcome } from "./attack.ts";
import { DEVICE_HEADER, type Member, TOKEN_HEADER } from "./member.ts";
import type { Target, World } from "./world.ts";

/** Clients that send a byte now and then or read nothing must each be answered or disconnected. */
export const slowClients: Attack = { name: "slow clients", isBeside: true, run };

/** A minute each for head and body, half a minute until the server checks, and time for a slow machine. */
const ENDED_MS_MAX = 115_000;
const DRIP_MS = 2_000;
const EACH = 4;

/** What a slow client sends first, and what it sends afterwards. */
export interface Slow {
  readonly what: string;
  readonly base: string;
  readonly begins: string;
  /** Sends one byte every two seconds; null if nothing more is sent. */
  readonly drips: string | null;
  /** Doesn't read the responses. */
  readonly isDeaf?: boolean;
}

async function run(world: World): Promise<Outcome> {
  const slow = slowly(world, world.owner);
  const seconds = await Promise.all(
    slow.flatMap((client) => Array.from({ length: EACH }, () => secondsUntilEnd(client, ENDED_MS_MAX))),
  );
  const latest = Math.max(...seconds.map((each) => each ?? Number.POSITIVE_INFINITY));
  const faults = slow.flatMap(({ what }, place) => {
    const own = seconds.slice(place * EACH, (place + 1) * EACH);
    return own.includes(null) ? [`${what} is neither answered nor closed within ${ENDED_MS_MAX / 1_000} s`] : [];
  });
  return { tried: `${seconds.length} clients, the last ended after ${latest.toFixed(0)} s`, faults };
}

function slowly({ url, console: consoleUrl }: Target, owner: Member): Slow[] {
  const head = (base: string, path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(base).host}\r\n${more}`;
  const formHead = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n";
  const uploadHead = `${TOKEN_HEADER}: ${owner.token()}\r\n${DEVICE_HEADER}: ${owner.device}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000\r\n\r\n--b\r\n`;
  const document = `GET /openapi.json HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
  return [
    { what: "a silent socket", base: url, begins: "", drips: null },
    { what: "a silent socket at the console", base: consoleUrl, begins: "", drips: null },
    { what: "a dripping head", base: url, begins: head(url, "/client/user/info", "X: "), drips: "x" },
    { what: "a dripping head at the console", base: consoleUrl, begins: head(consoleUrl, "/", "X: "), drips: "x" },
    { what: "a dripping body", base: url, begins: head(url, "/client/auth/login", formHead), drips: "x" },
    { what: "a dripping body to nothing", base: url, begins: head(url, "/nowhere", formHead), drips: "x" },
    {
      what: "a dripping body at the console",
      base: consoleUrl,
      begins: head(
        consoleUrl,
        "/operator/session/login",
        `Origin: ${consoleUrl}\r\nX-Fairtick-Console: 1\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n`,
      ),
      drips: " ",
    },
    { what: "an upload that stalls", base: url, begins: head(url, "/client/file/upload", uploadHead), drips: null },
    {
      what: "somebody who reads no answer",
      base: url,
      begins: document.repeat(60),
      drips: null,
      isDeaf: true,
    },
  ];
}

/** A client that doesn't read starts to read this long before the end, to learn whether the server has closed. */
const LISTENS_MS = 5_000;

/**
 * Returns the seconds until the server answered or closed the connection; null if it did neither within that time (ms).
 */
export function secondsUntilEnd({ base, begins, drips, isDeaf }: Slow, withinMs: number): Promise<number | null> {
  const { hostname, port } = new URL(base);
  const begun = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(begins));
    const dripping = setInterval(() => {
      if (drips !== null && socket.writable) socket.write(drips);
    }, DRIP_MS);
    const late = setTimeout(() => done(null), withinMs);
    const listening = setTimeout(() => socket.resume(), Math.max(0, withinMs - LISTENS_MS));
    const done = (seconds: number | null) => {
      clearInterval(dripping);
      clearTimeout(late);
      clearTimeout(listening);
      socket.destroy();
      resolve(seconds);
    };
    const ended = () => done((performance.now() - begun) / 1_000);
    socket.on("error", ended);
    socket.on("close", ended);
    if (isDeaf !== true) socket.on("data", ended);
  });
}
