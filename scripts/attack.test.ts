import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { tryAll } from "./attack/all-attacks.ts";
import { type Attack, type Size, SIZES, tryAttack } from "./attack/attack.ts";
import { type Bend, openBendingDoor } from "./attack/bending-door.ts";
import { judgeDrain } from "./attack/drain.ts";
import { foreignNames } from "./attack/foreign-names.ts";
import { memberFuzz, operatorFuzz } from "./attack/fuzz.ts";
import { guessing } from "./attack/guessing.ts";
import { hostileFiles } from "./attack/hostile-files.ts";
import { idleSockets, judgeIdle } from "./attack/idle-sockets.ts";
import { judgeFlood, loginFlood } from "./attack/login-flood.ts";
import { memberMatrix } from "./attack/member-matrix.ts";
import { memberOf } from "./attack/member.ts";
import { operatorMatrix } from "./attack/operator-matrix.ts";
import { races } from "./attack/races.ts";
import { type Answer, callerFrom } from "./attack/request.ts";
import { secondsUntilEnd } from "./attack/slow-clients.ts";
import { storedScript } from "./attack/stored-script.ts";
import { timing } from "./attack/timing.ts";
import { openWorld, type World } from "./attack/world.ts";
import { type Product, startProduct } from "./own-product.ts";

/**
 * The attacks in their shortest form, on a product of their own. For each kind of judge a fault is planted: a proxy in
 * front of the product alters its responses. `npm run attack` runs the full form.
 */
let product: Product;
let world: World;
beforeAll(async () => {
  product = await startProduct({ RATE_LIMIT_FACTOR: "100000", LOG_LEVEL: "error" });
  world = await openWorld({ url: product.base, console: product.console }, product.sql);
}, 240_000);
afterAll(async () => {
  world.close();
  await product.stop();
}, 60_000);

/** The attacks that don't take minutes. */
const SHORT = ["names", "guessing", "drain", "races", "script", "files", "members", "fuzz"];

it("withstands the short form and reports one line per attack", { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  const broken = await tryAll(SHORT, world, SIZES.short, (line) => lines.push(line));
  expect(lines.filter((line) => !line.startsWith("held    "))).toEqual([]);
  expect(lines).toHaveLength(SHORT.length);
  expect(broken).toBe(0);
});

it(
  "lets everyone log in during a flood and beside idle sockets, however long it takes here",
  { timeout: 300_000 },
  async () => {
    const flood = await tryAttack(loginFlood, world, SIZES.short);
    expect(flood.tried).toMatch(/^p99 of 4 right logins: \d+ ms on known devices, \d+ ms on new ones/);
    expect(flood.faults.filter((fault) => !fault.startsWith("known devices wait"))).toEqual([]);
    const idle = await tryAttack(idleSockets, world, SIZES.short);
    expect(idle.tried).toMatch(/^150 of 150 held; healthy p99/);
  },
);

/** Opens a world in which the members' side of the product is faulty. */
async function bent(bend: Bend): Promise<World> {
  const door = await openBendingDoor(product.base, bend);
  onTestFinished(() => door.close());
  const caller = callerFrom("127.0.0.1", door.url);
  onTestFinished(() => caller.close());
  const as = ({ account, password }: World["owner"]) => memberOf(caller, account, password);
  return { ...world, url: door.url, caller, owner: await as(world.owner), other: await as(world.other), sql: null };
}

async function bentConsole(bend: Bend): Promise<World> {
  const door = await openBendingDoor(product.console, bend);
  onTestFinished(() => door.close());
  const officeCaller = callerFrom("127.0.0.1", door.url);
  onTestFinished(() => officeCaller.close());
  return { ...world, officeCaller };
}

/** Replaces a status that a path responds with. */
const answering =
  (path: string, from: number, to: number): Bend =>
  (asked, answer) =>
    asked.endsWith(path) && answer.status === from ? { ...answer, status: to } : answer;

/** Returns what an attack on a few calls finds. */
async function faultsOf({ run }: Attack, at: World, ...paths: string[]): Promise<readonly string[]> {
  const size = { ...SIZES.short, ...(paths.length > 0 && { paths: new Set(paths) }) };
  return (await run(at, size)).faults;
}

/** Sends enough messages to show a fault: a handful might all happen to be valid, or to be sent without a session. */
function many(path: string): Size {
  return { ...SIZES.short, inputs: 30, operatorInputs: 30, paths: new Set([path]) };
}

describe("a planted fault", { timeout: 120_000 }, () => {
  it("that discloses another member's order or its existence is found by the members' role matrix", async () => {
    let asked = 0;
    const at = await bent((path, answer) => {
      if (!path.endsWith("/order/detail") || answer.status !== 404) return answer;
      asked += 1;
      return { ...answer, status: 200, text: answer.text.replace("Not found", `Not found ${asked}`) };
    });
    expect(await faultsOf(memberMatrix, at, "order/detail")).toEqual([
      expect.stringMatching(/^order\/detail tells another's from none/),
      expect.stringMatching(/^order\/detail about another's: 200, not 404/),
      expect.stringMatching(/^order\/detail about nothing: 200, not 404/),
    ]);
  });

  it("that opens a back office call to everyone is found by the operators' role matrix", async () => {
    const at = await bentConsole(answering("/correction/propose", 401, 200));
    expect(await faultsOf(operatorMatrix, at, "correction/propose", "audit/list")).toEqual(
      expect.arrayContaining([expect.stringMatching(/^correction\/propose by nobody: 200, not 401/)]),
    );
  });

  it("that is an error of the server is found by both fuzzes", async () => {
    const members = await bent(answering("/market/candles", 400, 500));
    expect((await memberFuzz.run(members, many("market/candles"))).faults).toEqual([
      expect.stringMatching(/^market\/candles: .*status 500/),
    ]);
    const office = await bentConsole(answering("/session/invitation", 400, 500));
    expect((await operatorFuzz.run(office, many("session/invitation"))).faults).toEqual([
      expect.stringMatching(/^session\/invitation: .*a fault of ours: 500/),
    ]);
  });

  it("that ends every session is found by the fuzz, which would prove nothing without sessions", async () => {
    const at = await bent((path, answer) =>
      path.endsWith("/user/summary")
        ? { ...answer, status: 401, text: answer.text.replace(/"code":\d+/, '"code":401') }
        : answer,
    );
    const { faults } = await memberFuzz.run(at, many("user/summary"));
    expect(faults.at(-1)).toMatch(/^only 0 % of the sessions were alive/);
  });

  it("that accepts any host name is found", async () => {
    const at = await bent((_path, answer) => (answer.status === 421 ? { ...answer, status: 200 } : answer));
    expect(await faultsOf(foreignNames, at)).toEqual(
      expect.arrayContaining(["/dev/accounts by another name: 200, not 421"]),
    );
  });

  it("that sends members' text as a page, or changes it, is found", async () => {
    const asPage = await bent((path, answer) =>
      path.endsWith("/user/info") ? { ...answer, headers: { ...answer.headers, "content-type": "text/html" } } : answer,
    );
    expect(await faultsOf(storedScript, asPage)).toEqual(["a member's name comes back as text/html"]);
    const stripped = await bent((path, answer) =>
      path.endsWith("/support/thread") ? { ...answer, text: answer.text.replaceAll("<script>", "") } : answer,
    );
    expect(await faultsOf(storedScript, stripped)).toEqual([
      expect.stringMatching(/^a line of the chat does not come back as it was written/),
    ]);
  });

  it("that accepts a page as a picture, or opens it in the browser, is found", async () => {
    const at = await bent((path, answer) => {
      if (path.endsWith("/file/upload") && answer.status === 422) return { ...answer, status: 200 };
      const { "content-disposition": _attachment, ...headers } = answer.headers;
      return path.endsWith("/file/get") ? { ...answer, headers } : answer;
    });
    expect(await faultsOf(hostileFiles, at)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^a page as a picture: 200/),
        "a picture with a page behind it opens in the browser",
      ]),
    );
  });

  it("that places two orders for one client id is found", async () => {
    let made = 0;
    const at = await bent((path, answer) => {
      made += 1;
      return path.endsWith("/order/place")
        ? { ...answer, text: answer.text.replace(/ord_\w+/, `ord_${made}`) }
        : answer;
    });
    expect(await faultsOf(races, at)).toEqual([expect.stringMatching(/^order\/place: one client id made \d+/)]);
  });

  it("that checks every guess, or keeps the owner out, is found", async () => {
    const at = await bent(answering("/auth/login", 429, 422));
    expect(await faultsOf(guessing, at)).toEqual([
      "of 20 guesses at once 20 were judged and 0 turned away",
      "after 3 wrong guesses the next one waits 0.0 min",
      "a stranger with the right password is answered 422",
    ]);
  });

  it("that responds to unknown accounts at once is found by the response times", async () => {
    const known = new Set<string | null>();
    const at = await bent(async (path, answer, sent) => {
      const fields = new URLSearchParams(sent);
      if (path.endsWith("/auth/register")) known.add(fields.get("email"));
      if (path.endsWith("/auth/login") && known.has(fields.get("account")))
        await new Promise((wake) => setTimeout(wake, 300));
      return answer;
    });
    expect((await timing.run(at, { ...SIZES.short, pairs: 8 })).faults).toEqual(
      expect.arrayContaining([expect.stringMatching(/^login tells a known account from an unknown one: \d+\.\d+ ms/)]),
    );
  });

  it("that takes money twice, or grants more than is available, is found", () => {
    const granted = said(200, { stake: "10.00", fee: "0.10" });
    const refused = said(422, { error: "INSUFFICIENT_BALANCE" });
    expect(judgeDrain(2_000n, 990n, [granted, refused], [])).toEqual([]);
    expect(judgeDrain(2_000n, -20n, [granted, granted], [])).toEqual([
      "the balance is -20 cents",
      "nothing was refused",
    ]);
    expect(judgeDrain(3_000n, 1_990n, [granted, granted, refused], [])).toEqual([
      "2020 cents were granted, and 1010 left the balance",
    ]);
    expect(judgeDrain(2_000n, 990n, [granted, said(500, { error: "SERVER_ERROR" })], [])).toEqual([
      expect.stringMatching(/^500: /),
    ]);
  });

  it("that makes known devices or healthy clients wait is found", () => {
    const login = (ms: number, status = 200) => ({ ms, status, isKnownDevice: true });
    expect(judgeFlood([login(80)], [login(900), login(950)])).toEqual([]);
    expect(judgeFlood([login(80)], [login(1_200)])).toEqual(["known devices wait 1200 ms, more than 1000"]);
    expect(judgeFlood([login(80)], [login(80, 429)])).toEqual(["the right password on a known device is answered 429"]);
    expect(judgeIdle(20, 120)).toEqual([]);
    expect(judgeIdle(20, 140)).toEqual(["the healthy wait 140.0 ms instead of 20.0"]);
  });

  it("that never disconnects a slow client is found", async () => {
    const patient = createServer().listen(0, "127.0.0.1");
    const strict = createServer((socket) => setTimeout(() => socket.destroy(), 100)).listen(0, "127.0.0.1");
    await Promise.all([once(patient, "listening"), once(strict, "listening")]);
    onTestFinished(() => void [patient.close(), strict.close()]);
    const slow = (server: typeof patient) => ({
      what: "a silent socket",
      base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      begins: "POST / HTTP/1.1\r\n",
      drips: "x",
    });
    expect(await secondsUntilEnd(slow(patient), 1_000)).toBeNull();
    expect(await secondsUntilEnd(slow(strict), 5_000)).toBeLessThan(5);
  });
});

function said(status: number, data: object): Answer {
  const headers = { "content-type": "application/json" };
  return { status, headers, text: JSON.stringify({ code: status, msg: "", data }), ms: 1 };
}
