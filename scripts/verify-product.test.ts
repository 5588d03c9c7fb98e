import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@fairtick/postgres";
import { nodeHashes } from "@fairtick/domain/node";
import { waitUntil } from "@fairtick/testkit";
import { findGo } from "@fairtick/testkit/go";
import { findPython } from "@fairtick/testkit/python";
import { formatRefusedOpenings, makeRefusedOpening } from "@fairtick/transparency";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsOfMarkdown, commandsOfScreen, readPrintedCommands } from "./printed-commands.ts";
import { addDevice, placeSealed } from "./tamper-drill/sealed/device.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const FAIRTICK = join(PROJECT, "node_modules/.bin/fairtick");

let folder: string;
let product: ChildProcess;
let ended: Promise<unknown>;
let base: string;
let output = "";

let port: string;

/** Starts the product on existing data, in its own process group so that all of it can be killed at once. */
async function start(): Promise<void> {
  output = "";
  product = spawn(process.execPath, ["scripts/launch.mjs", "scripts/start.ts"], {
    cwd: PROJECT,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_OPTIONS: process.env["NODE_OPTIONS"],
      PORT: port,
      CONSOLE_PORT: "0",
      DATA_DIR: join(folder, "data"),
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  ended = new Promise((done) => product.once("close", done));
  for (const stream of [product.stdout, product.stderr])
    stream?.on("data", (bytes: Buffer) => (output += bytes.toString("utf8")));
  await waitUntil("the product", () => /Ctrl-C ends it\.[^]*Account \(Auditor/.test(output) || null, 100_000);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-verify-"));
  port = String(await freePort());
  base = `http://127.0.0.1:${port}`;
  await start();
}, 120_000);
afterAll(async () => {
  product.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true });
});

async function call(path: string, fields: Record<string, string>, token?: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${base}/client/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(token !== undefined && { exchange2508Token: token }),
    },
    body: new URLSearchParams(fields).toString(),
  });
  const { data } = (await answer.json()) as { data: Record<string, unknown> };
  return data;
}

/** Runs the command as a stranger would, with only a folder of files and an address. */
function fairtick(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(FAIRTICK, args, { cwd: folder, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

interface Expected {
  /** The commands that are meant. */
  readonly is: RegExp;
  readonly says: RegExp;
  /** Exit codes; only 0 unless told otherwise. */
  readonly ends?: readonly number[];
  /** Set if the program runs until it is ended, once it has said that. */
  readonly staysUp?: true;
}

/** How each printed command ends. The first that fits counts; a command that none fits fails the test. */
const EXPECTED: readonly Expected[] = [
  { is: /^npm run (?:build|pack-verifier)$/, says: /^a script of the project$/ },
  { is: /^GO111MODULE=off .* go build /, says: /^$/ },
  { is: /^sha256sum --check /, says: /^verifier\.tgz: OK$/m },
  { is: /^python3 .* verify-receipt /, says: /^ok +settled-in-log/m, ends: [0, 2] },
  { is: /^python3 .* verify-log /, says: /^VERIFIED\b/m, ends: [0, 2] },
  { is: /^python3 .* verify-vectors /, says: /\S/ },
  { is: /tgz keys --log \S+ > fairtick\.keys$/, says: /^$/ },
  { is: / verify --log \S+ --refused refused\.json$/, says: /^opened refusals: 1, of which/m, ends: [0, 2] },
  { is: / verify --log /, says: /^VERIFIED\b/m, ends: [0, 2] },
  { is: / verify receipt\.json(?: --log \S+)?$/, says: /^ok +settled-in-log/m, ends: [0, 2] },
  { is: /(?:tgz|^fairtick) app /, says: /^SERVED AS LOGGED$/m },
  { is: / witness(?: --help)?$/, says: /^Usage:/m, ends: [0, 3] },
  { is: / witness --folder /, says: /^witness somebody\.example\/witness\+.*\nlistens at http/m, staysUp: true },
];

/** Runs a command as it is printed, with this house's address. Returns how it differed from what is expected, or null. */
async function runPrinted(
  printed: string,
  { says, ends = [0], staysUp }: Expected,
  cwd: string,
): Promise<string | null> {
  const [, script] = /^npm run ([a-z-]+)$/.exec(printed) ?? [];
  if (script !== undefined) return script in readScripts() ? null : "there is no such script";
  const [logKey = ""] = /^log (.*)$/m.exec(readFileSync(join(folder, "fairtick.keys"), "utf8"))?.slice(1) ?? [];
  const command = printed
    .replace(/^fairtick /, `${FAIRTICK} `)
    .replaceAll("https://host", base)
    .replace("<the log's verifier key>", logKey)
    .replace("--port 9000", `--port ${await freePort()}`);
  const child = spawn("sh", ["-c", command], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      npm_config_cache: join(cwd, "cache"),
      // No registry listens there.
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_fetch_retries: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const closed = new Promise<number | null>((done) => child.once("close", done));
  if (staysUp) {
    await Promise.race([closed, waitUntil("the witness", () => says.test(said) || null, 60_000)]);
    if (child.exitCode === null) process.kill(-Number(child.pid), "SIGTERM");
    await closed;
    return says.test(said) ? null : said;
  }
  const status = await closed;
  return ends.includes(status ?? -1) && says.test(said) ? null : `ended with ${status}: ${said}`;
}

function readScripts(): object {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as { scripts: object };
  return scripts;
}

/** Has the house refuse a sealed order, and returns the file with which its member opens the refusal. */
async function openedRefusal(): Promise<string> {
  const [, account = "", password = ""] = /^ *Account \(Both wallets.*?\) +(\S+) +password (\S+)/m.exec(output) ?? [];
  const { access_token: token, userInfo } = await call("auth/login", { account, password });
  const { userId } = userInfo as { userId: string };
  const device = await addDevice(
    async (path, fields) => ({ status: 200, data: await call(path, fields, token as string) }),
    1n,
  );
  const terms = { symbol: "EURUSD", stake: "10.00", duration: 30, payoutRate: "0.82", fee: "0.10" };
  // The house never made this head, so it must refuse.
  const unknown = { slot: 1, hash: "00".repeat(32), at: Date.now() };
  const { answer, direction, nonce, wish } = await placeSealed(device, terms, unknown, "down");
  if (answer.kind === "accepted" || answer.refusal === null) throw new Error(`not refused: ${JSON.stringify(answer)}`);
  const choice = { direction, limitPrice: null, nonce: Buffer.from(nonce, "hex") };
  const opening = makeRefusedOpening(nodeHashes, { member: userId, wishes: [wish] }, answer.refusal, choice);
  if (opening === null) throw new Error("the refusal can't be opened");
  return formatRefusedOpenings([opening]);
}

describe("the commands that pages print", () => {
  it("are found in code blocks, in running text and on screens", () => {
    const page = "```\nnpx --yes https://host/verifier.tgz new\n```\nor `python3 other.py\n  now`, not `verify --log`";
    expect(commandsOfMarkdown(page)).toEqual(["npx --yes https://host/verifier.tgz new", "python3 other.py now"]);
    const screen =
      "const fairtick = verifierCommand(location.origin);<code>{fairtick} new --log {log} &gt; file</code>";
    expect(commandsOfScreen(screen)).toEqual(["npx --yes https://host/verifier.tgz new --log https://host/log > file"]);
    expect(() => commandsOfScreen(`${screen}<code>{fairtick}</code>`)).toThrow("in a new way");
    expect(EXPECTED.some(({ is }) => is.test("npx --yes https://host/verifier.tgz new"))).toBe(false);
  });
});

describe("a stranger with an address, pinned keys and a receipt", { timeout: 120_000 }, () => {
  it("verifies the log and an order of the running product with only the command", async () => {
    expect(output).toMatch(/Witness +http/);
    const keys = await waitUntil("the log's keys", () => {
      const { status, said } = fairtick("keys", "--log", `${base}/log`);
      return status === 0 && said.match(/^acceptance /gm)?.length === 2 ? said : null;
    });
    writeFileSync(join(folder, "fairtick.keys"), keys);
    expect(keys).toMatch(/^witness /m);
    const [, account = "", password = ""] = /^ *Account \(Both wallets.*?\) +(\S+) +password (\S+)/m.exec(output) ?? [];
    const token = (await call("auth/login", { account, password }))["access_token"] as string;
    const wish = { wallet: "practice", symbol: "EURUSD", direction: "up", stake: "10.00", duration: "30" };
    // The first epoch begins a second or two after the start.
    const order = await waitUntil("an acceptance", async () => {
      const answer = await call("order/place", { ...wish, clientOrderId: "verify-product-0001" }, token);
      if ("orderNo" in answer) return answer;
      // Stay below the limit on orders that a member may send.
      await sleep(300);
      return null;
    });
    const orderNo = String(order["orderNo"]);
    expect(order["acceptance"]).toMatchObject({ place: 0, signature: expect.stringMatching(/=$/) });

    const first = fairtick("verify", "--log", `${base}/log`, "--save", "seen");
    expect(first.said).toMatch(/\nVERIFIED\n$/);
    expect(first.status).toBe(0);

    await waitUntil(
      "the settlement",
      async () => (await call("order/detail", { orderNo }, token))["outcome"] ?? null,
      60_000,
    );
    // A cosigned checkpoint covers everything within seconds, except the minutes, their heads and the seed.
    const receipt = await waitUntil("what needs seconds alone", async () => {
      writeFileSync(join(folder, "receipt.json"), JSON.stringify(await call("order/receipt", { orderNo }, token)));
      const { status, said } = fairtick("verify", "receipt.json");
      expect(said).not.toContain("failed");
      return status === 2 && /^ok +settled-in-log/m.test(said) ? said : null;
    });
    for (const sure of [
      "commitment",
      "batch",
      "signature",
      "terms",
      "accepted-in-log",
      "bound-before-entry",
      "outcome",
      "payout",
    ]) {
      expect(receipt).toMatch(new RegExp(`^ok +${sure}`, "m"));
    }
    expect(receipt).toMatch(/^pending +replay/m);

    const since = fairtick("verify", "--log", `${base}/log`, "--since", "seen", "--save", "seen");
    expect(since.said).not.toMatch(/^fault/m);
    // The order's minutes may not be over yet.
    const isWaiting = since.said.endsWith("\nVERIFIED but for the settlements that wait\n");
    expect(since.status).toBe(isWaiting ? 2 : 0);
  });

  it(
    "needs only an empty folder and the house's address for every command that is printed",
    { timeout: 480_000 },
    async () => {
      const elsewhere = mkdtempSync(join(folder, "elsewhere-"));
      writeFileSync(join(elsewhere, "receipt.json"), readFileSync(join(folder, "receipt.json")));
      writeFileSync(join(elsewhere, "refused.json"), await openedRefusal());
      // What the page tells to fetch once, and the repository's files that it names.
      for (const path of ["verifier.tgz", "verifier.tgz.sha256"])
        writeFileSync(join(elsewhere, path), Buffer.from(await (await fetch(`${base}/${path}`)).arrayBuffer()));
      const python = "packages/transparency/independent/fairtick_verify.py";
      writeFileSync(join(elsewhere, "fairtick_verify.py"), readFileSync(join(PROJECT, python)));
      for (const name of ["docs", "packages"]) symlinkSync(join(PROJECT, name), join(elsewhere, name));
      findPython();
      findGo();

      const commands = readPrintedCommands();
      expect(new Set(commands.map(({ file }) => file)).size).toBeGreaterThan(4);
      const unmet: string[] = [];
      const used = new Set<Expected>();
      // A page may leave out the witness's arguments, and several print the same command.
      for (const command of new Set(commands.map((each) => each.command.replace(/ +#.*/, "")))) {
        const expected = EXPECTED.find(({ is }) => is.test(command));
        if (expected !== undefined) used.add(expected);
        const outcome = expected === undefined ? "nobody runs it" : await runPrinted(command, expected, elsewhere);
        if (outcome !== null) unmet.push(`${command}: ${outcome}`);
      }
      // An assertion's message would cut the outcomes short.
      if (unmet.length > 0) throw new Error(unmet.join("\n\n"));
      expect(EXPECTED.filter((each) => !used.has(each))).toEqual([]);

      const pinned = readFileSync(join(elsewhere, "fairtick.keys"), "utf8");
      expect(pinned).toBe(readFileSync(join(folder, "fairtick.keys"), "utf8"));
      const tarball = Buffer.from(await (await fetch(`${base}/verifier.tgz`)).arrayBuffer());
      const told = await (await fetch(`${base}/verifier.tgz.sha256`)).text();
      expect(told).toBe(`${createHash("sha256").update(tarball).digest("hex")}  verifier.tgz\n`);
    },
  );

  it("compares the served files with the release in the log and learns which file differs", async () => {
    const honest = await waitUntil("the release", () => {
      const answer = fairtick("app", base);
      return answer.status === 3 ? null : answer;
    });
    expect(honest.said).toMatch(
      /^the release of .*, entry \d+ of the log, has \d{2,} files and the verifier [0-9a-f]{64}$/m,
    );
    expect([honest.status, honest.said.endsWith("\nSERVED AS LOGGED\n")]).toEqual([0, true]);
    // A proxy between the house and its members that changes files.
    const between = createServer((request, response) => {
      void fetch(`${base}${request.url}`).then(async (answer) => {
        const bytes = Buffer.from(await answer.arrayBuffer());
        const isBent = request.url === "/index.html" || request.url === "/verifier.tgz";
        response.writeHead(answer.status).end(isBent ? Buffer.concat([bytes, Buffer.from(" ")]) : bytes);
      });
    });
    await new Promise<void>((done) => void between.listen(0, "127.0.0.1", done));
    const { port } = between.address() as AddressInfo;
    const child = spawn(FAIRTICK, ["app", `http://127.0.0.1:${port}`], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
    const status = await new Promise((done) => child.once("close", done));
    between.close();
    expect(said.match(/^differs \S+/gm)).toEqual(["differs /index.html:", "differs /verifier.tgz:"]);
    expect([status, said.endsWith("\nNOT SERVED AS LOGGED\n")]).toEqual([1, true]);
  });

  it("learns what was altered in a receipt, and that another house's keys don't work", async () => {
    const text = readFileSync(join(folder, "receipt.json"), "utf8");
    writeFileSync(join(folder, "bent.json"), text.replace(/\\"direction\\":\\"up\\"/, '\\"direction\\":\\"down\\"'));
    const bent = fairtick("verify", "bent.json");
    expect([bent.status, /^failed +commitment/m.test(bent.said)]).toEqual([1, true]);
    const other = fairtick("verify", "receipt.json", "--keys", "nowhere");
    expect([other.status, other.said.includes("no keys are pinned in nowhere")]).toEqual([3, true]);
  });

  it(
    "finds no fault with a house that was killed and restarted, and that logs its outage and late settlements",
    { timeout: 360_000 },
    async () => {
      const [, account = "", password = ""] =
        /^ *Account \(Both wallets.*?\) +(\S+) +password (\S+)/m.exec(output) ?? [];
      const login = async () => (await call("auth/login", { account, password }))["access_token"] as string;
      const wish = { wallet: "practice", symbol: "EURUSD", direction: "up", stake: "10.00", duration: "30" };
      const first = await login();
      const order = await waitUntil("an acceptance", async () => {
        const answer = await call("order/place", { ...wish, clientOrderId: "verify-product-0002" }, first);
        if ("orderNo" in answer) return answer;
        await sleep(300);
        return null;
      });
      const orderNo = String(order["orderNo"]);
      process.kill(-Number(product.pid), "SIGKILL");
      await ended;
      // Wait until twenty seconds after it was due.
      await sleep(50_000);
      await start();
      const token = await login();
      await waitUntil(
        "the settlement",
        async () => (await call("order/detail", { orderNo }, token))["outcome"] ?? null,
        60_000,
      );
      // The house logs its own outage before the settlement that it delayed.
      const examined = await waitUntil(
        "both incidents",
        () => {
          const { said } = fairtick("verify", "--log", `${base}/log`);
          const parts = [...said.matchAll(/^note +incidents at entry \d+: (house|settlement) stood still from /gm)];
          return new Set(parts.map(([, part]) => part)).size === 2 ? said : null;
        },
        120_000,
      );
      expect(examined).not.toMatch(/^fault/m);
      const { incidents } = (await (await fetch(`${base}/fairness.json`)).json()) as { incidents: { part: string }[] };
      expect(incidents.map(({ part }) => part)).toEqual(expect.arrayContaining(["house", "settlement"]));
    },
  );
});
