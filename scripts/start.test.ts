import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@fairtick/postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

const PROJECT = resolve(import.meta.dirname, "..");
const TIMEOUT_MS = 120_000;
/** How soon a part that died must run again, in the median of all parts. */
const RESTART_MS = 3_000;
let data: string;
const running: { child: ChildProcess; ended: Promise<unknown> }[] = [];

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "fairtick-start-"));
});

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill("SIGTERM");
    await ended;
  }
});

afterAll(() => {
  rmSync(data, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /** Resolves when it prints that everything runs; rejects if it ends before that. */
  readonly up: Promise<void>;
  /** Returns a process id by name, once it is up. */
  pid(name: "signer" | "market" | "server" | "postgres"): number;
  /** Returns the ids of all processes that it started. */
  family(): number[];
  /** Returns the current process of each part; 0 for one that isn't running. */
  parts(): Record<Part, number>;
  isReady(): Promise<boolean>;
}

/** A piece of each part's command line, with the part's name in the output. */
const PARTS = {
  "signer/src/main.ts": "The signer process",
  "roles/market.ts": "The market process",
  "roles/server.ts": "The server process",
  "main.ts witness": "The witness",
  "roles/beacon.ts": "The beacon",
  "bin/anvil": "The test chain",
  "bin/postgres": "PostgreSQL",
};
type Part = keyof typeof PARTS;
const LAUNCH = [process.execPath, "scripts/launch.mjs", "scripts/start.ts"];

async function start(environment: Record<string, string> = {}, [program = "", ...options] = LAUNCH): Promise<Running> {
  const port = await freePort();
  const child = spawn(program, options, {
    cwd: PROJECT,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_OPTIONS: process.env["NODE_OPTIONS"],
      PORT: String(port),
      CONSOLE_PORT: "0",
      DATA_DIR: data,
      LOG_LEVEL: "warn",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = new Promise<number | string | null>((done) => {
    child.on("close", (code, signal) => {
      done(code ?? signal);
    });
  });
  running.push({ child, ended });
  const up = new Promise<void>((done, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
        if (text.includes("Ctrl-C ends it.") && text.includes("Metrics of server")) done();
      });
    }
    void ended.then(() => {
      reject(new Error(`it ended: ${text}`));
    });
  });
  up.catch(() => undefined);
  return {
    child,
    ended,
    up,
    output: () => text,
    parts: () => partsOf(child.pid ?? 0),
    isReady: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
      return ((await answer?.json()) as { accepting: boolean } | undefined)?.accepting ?? false;
    },
    family: () => descendantsOf(child.pid ?? 0),
    pid(name) {
      if (name !== "postgres") return Number(new RegExp(`Process ${name} +(\\d+)`).exec(text)?.[1]);
      const folder = /data in (\S+)/.exec(text)?.[1] ?? "";
      return Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
    },
  };
}

interface Listed {
  readonly own: number;
  readonly command: string;
}

/** Returns all descendants of a process except PostgreSQL's own workers. */
function startedBy(pid: number): Listed[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const all = [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, own, parent, command = ""]) => ({
    own: Number(own),
    parent: Number(parent),
    command,
  }));
  const below = (parent: number): Listed[] =>
    all
      .filter((one) => one.parent === parent && !one.command.startsWith("postgres: "))
      .flatMap((one) => [one as Listed].concat(below(one.own)));
  return below(pid);
}

function descendantsOf(pid: number): number[] {
  return startedBy(pid).map(({ own }) => own);
}

function partsOf(pid: number): Record<Part, number> {
  const started = startedBy(pid);
  const marks = Object.keys(PARTS) as Part[];
  const found = marks.map((mark) => [mark, started.find(({ command }) => command.includes(mark))?.own ?? 0]);
  return Object.fromEntries(found) as Record<Part, number>;
}

async function untilGone(...pids: number[]): Promise<void> {
  for (const pid of pids) {
    expect(pid).toBeGreaterThan(1);
    while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("the family", { timeout: TIMEOUT_MS }, () => {
  it.each(["SIGTERM", "SIGINT"] as const)("ends cleanly on %s, and so does the database", async (signal) => {
    const family = await start();
    await family.up;
    const pids = (["signer", "market", "server", "postgres"] as const).map((name) => family.pid(name));
    family.child.kill(signal);
    expect(await family.ended).toBe(0);
    await untilGone(...pids);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("ends within ten seconds when npm gets %s", async (signal) => {
    const family = await start({}, ["npm", "start"]);
    await family.up;
    const pids = [...family.family(), family.pid("postgres")];
    expect(pids.length).toBeGreaterThanOrEqual(6);
    const begun = performance.now();
    family.child.kill(signal);
    await untilGone(...pids);
    expect(performance.now() - begun).toBeLessThan(10_000);
    await family.ended;
    expect(family.output()).toContain("Stopping.");
  });

  it("refuses a second start in its data folder without harm to the first", async () => {
    const first = await start();
    await first.up;
    const pids = first.family();
    const second = await start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^Fairtick is running from \S+ already \(process \d+\)\. Stop it first/m);
    expect(pids.filter((pid) => !existsSync(`/proc/${pid}`))).toEqual([]);
    expect(first.child.exitCode).toBeNull();
  });

  it("survives the kill of any part by restarting that part alone", { timeout: 3 * TIMEOUT_MS }, async () => {
    const family = await start();
    await family.up;
    const times: number[] = [];
    for (const part of Object.keys(PARTS) as Part[]) {
      const before = family.parts();
      const killed = performance.now();
      process.kill(before[part], "SIGKILL");
      await expect.poll(() => family.output(), { timeout: 30_000 }).toContain(`${PARTS[part]} is running again`);
      times.push(performance.now() - killed);
      const after = family.parts();
      expect(after[part]).not.toBe(before[part]);
      expect({ ...after, [part]: 0 }).toEqual({ ...before, [part]: 0 });
      await expect.poll(() => family.isReady(), { timeout: 60_000 }).toBe(true);
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`A killed part runs again after ${times.map(Math.round).join(", ")} ms`);
    // Three seconds on an idle machine, and proportionally more if processes wait for a processor.
    expect(median).toBeLessThanOrEqual(RESTART_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
    family.child.kill("SIGTERM");
    expect(await family.ended).toBe(0);
  });

  it("survives the kill of all parts at once", async () => {
    const family = await start();
    await family.up;
    for (const pid of Object.values(family.parts())) process.kill(pid, "SIGKILL");
    for (const name of Object.values(PARTS)) {
      await expect.poll(() => family.output(), { timeout: 60_000 }).toContain(`${name} is running again`);
    }
    await expect.poll(() => family.isReady(), { timeout: 60_000 }).toBe(true);
    family.child.kill("SIGTERM");
    expect(await family.ended).toBe(0);
  });

  it("leaves no processes behind when it is killed, and continues at the next start", async () => {
    const first = await start();
    await first.up;
    const [signer, market, server] = [first.pid("signer"), first.pid("market"), first.pid("server")];
    const postgres = first.pid("postgres");
    first.child.kill("SIGKILL");
    expect(await first.ended).toBe("SIGKILL");
    await untilGone(signer, market, server);
    const second = await start();
    await second.up;
    expect(second.output()).toContain(`A PostgreSQL left over from a start that was killed (process ${postgres})`);
    expect(second.output()).not.toContain("is new, the database in");
  });

  it("leaves no process behind that still waits for its environment", async () => {
    const first = await start();
    const waiting = () => {
      const listed = spawnSync("ps", ["-o", "pid=,args=", "--ppid", String(first.child.pid)], { encoding: "utf8" });
      return listed.stdout.split("\n").filter((line) => line.includes("--told-later"));
    };
    await expect.poll(waiting).toHaveLength(2);
    const pids = waiting().map((line) => Number.parseInt(line, 10));
    first.child.kill("SIGKILL");
    expect(await first.ended).toBe("SIGKILL");
    await untilGone(...pids);
    const second = await start();
    await second.up;
  });

  it("refuses a data folder that was cleared without its database, until its loss is confirmed", async () => {
    for (const name of readdirSync(data)) {
      if (name !== "postgres") rmSync(join(data, name), { recursive: true });
    }
    const refused = await start();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(
      `The database was started with another data folder: ${data} does not hold its keys`,
    );
    const adopted = await start({ ADOPT_DATA_DIR: "yes" });
    await adopted.up;
    adopted.child.kill("SIGTERM");
    expect(await adopted.ended).toBe(0);
    const next = await start();
    await next.up;
  });
});

describe("a start that fails", { timeout: TIMEOUT_MS }, () => {
  it("says which port is taken", async () => {
    const holder = createServer();
    const port = await freePort();
    await new Promise<void>((done) => holder.listen(port, "127.0.0.1", done));
    const family = await start({ PORT: String(port) });
    expect(await family.ended).toBe(1);
    expect(family.output()).toContain(
      `Port ${port} is in use by another program. Stop that program, or choose another port`,
    );
    holder.close();
  });

  it("says that the database does not answer", async () => {
    const address = new URL("postgresql://somebody@127.0.0.1:1/fairtick");
    address.password = "pa55word";
    const family = await start({ DATABASE_URL: address.href });
    expect(await family.ended).toBe(1);
    expect(family.output()).toContain("No PostgreSQL answers at 127.0.0.1:1/fairtick. Start it, correct DATABASE_URL");
    expect(family.output()).not.toContain("pa55word");
  });

  it("says that the bus between machines doesn't answer, and leaves nothing half started", async () => {
    const family = await start({ NATS_URL: "nats://127.0.0.1:1" });
    expect(await family.ended).toBe(1);
    expect(family.output()).toContain("NATS at 127.0.0.1:1 cannot be used");
    expect(family.output()).toContain("unset it");
  });

  it("names every sandbox part of a live deployment", async () => {
    const family = await start({ DEPLOYMENT: "live" });
    expect(await family.ended).toBe(1);
    for (const part of [
      "MARKET_SOURCES",
      "MAIL_URL",
      "SMS_URL",
      "FAIRTICK_SECRET",
      "CHAIN_URL",
      "CLAMAV_SOCKET",
      "PUBLIC_URL",
    ]) {
      expect(family.output()).toContain(part);
    }
  });
});

/** Whether this process may mount a disk, which a full disk needs. Without that right, its tests are skipped. */
const mountsDisks = (() => {
  const place = mkdtempSync(join(tmpdir(), "fairtick-disk-"));
  const isMounted = mount(place, "size=1m");
  if (isMounted) unmount(place);
  rmSync(place, { recursive: true, force: true });
  return isMounted;
})();

function mount(place: string, options: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", place]).status === 0;
}

function unmount(place: string): void {
  spawnSync("umount", ["--lazy", place]);
}

/** Writes until not one more byte fits on the disk. */
function fillUp(path: string): void {
  const file = openSync(path, "w");
  for (let size = 1 << 20; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {
      // Less than that is left.
    }
  }
  closeSync(file);
}

describe.runIf(mountsDisks)("a full disk", { timeout: TIMEOUT_MS }, () => {
  let disk: string;
  let folder: string;
  beforeAll(() => {
    disk = mkdtempSync(join(tmpdir(), "fairtick-disk-"));
    folder = join(disk, "data");
    if (!mount(disk, "size=700m,mode=755")) throw new Error(`nothing could be mounted at ${disk}`);
  });
  afterAll(() => {
    unmount(disk);
    rmSync(disk, { recursive: true, force: true });
  });
  const full = () =>
    `The disk that holds ${folder} is full. Free some space there (or name another folder in DATA_DIR) and start again`;

  it("is reported before anything is written, and confirmed data is intact once there is room again", async () => {
    fillUp(join(disk, "ballast"));
    const refused = await start({ DATA_DIR: folder });
    expect(await refused.ended).toBe(1);
    expect(refused.output().trim()).toContain(full());
    expect(refused.output()).not.toMatch(/ENOSPC|at .*\.(?:ts|mjs):/);

    unlinkSync(join(disk, "ballast"));
    const first = await start({ DATA_DIR: folder });
    await first.up;
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);

    fillUp(join(disk, "ballast"));
    const again = await start({ DATA_DIR: folder });
    expect(await again.ended).toBe(1);
    expect(again.output()).toContain(full());
    unlinkSync(join(disk, "ballast"));
    const third = await start({ DATA_DIR: folder });
    await third.up;
  });

  it("is also reported if no more files can be created", async () => {
    const place = join(disk, "few");
    mkdirSync(place);
    expect(mount(place, "size=700m,mode=755,nr_inodes=1")).toBe(true);
    try {
      const family = await start({ DATA_DIR: join(place, "data") });
      expect(await family.ended).toBe(1);
      expect(family.output()).toContain(`The disk that holds ${join(place, "data")} is full. Free some space there`);
    } finally {
      unmount(place);
    }
  });
});
