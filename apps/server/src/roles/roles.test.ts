import { createTestDatabase, type TestDatabase } from "@fairtick/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { readConfig } from "../platform/config.ts";
import { ROLES } from "../platform/roles.ts";
import { type RunningServer, runServer } from "../testing/running-server.ts";

let database: TestDatabase;
let running: RunningServer | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await database.drop();
});

/** Returns which of the addresses that members and operators use are answered. */
async function openDoors({ base, places }: RunningServer): Promise<string[]> {
  const status = async (path: string, init?: RequestInit) => (await fetch(`${base}${path}`, init)).status;
  const doors: string[] = [];
  if ((await status("/client/market/instruments", { method: "POST" })) === 200) doors.push("calls");
  if (await takesSockets(base)) doors.push("stream");
  if ((await status("/log/keys")) === 200) doors.push("log pages");
  if (places.some(({ what }) => what === "Operators' console")) doors.push("console");
  expect(await status("/health/live")).toBe(200);
  return doors;
}

function takesSockets(base: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${base.replace("http", "ws")}/client/stream`, { origin: base });
    socket.on("open", () => {
      socket.terminate();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

describe("a process with one role", () => {
  it.each([
    ["api", ["calls", "log pages"]],
    ["stream", ["stream"]],
    ["log", ["log pages"]],
    ["console", ["console"]],
    ["settlement", []],
    ["jobs", []],
    ["chain", []],
  ])("%s answers its own addresses and no others: %j", async (role, doors) => {
    running = await runServer(database, { ROLES: role });
    expect(await openDoors(running)).toEqual(doors);
  });

  it("has all roles by default", async () => {
    running = await runServer(database);
    expect(await openDoors(running)).toEqual(["calls", "stream", "log pages", "console"]);
  });
});

describe("the setting ROLES", () => {
  const read = (roles?: string) => [...readConfig({ DATABASE_URL: database.url, ROLES: roles }).roles];

  it("can name any of them", () => {
    expect(read("api, stream")).toEqual(["api", "stream"]);
    expect(read()).toEqual([...ROLES]);
  });

  it.each(["apis", "api,,stream", "api stream"])("refuses %j and names those there are", (wrong) => {
    expect(() => read(wrong)).toThrow("ROLES is to name one or more of market, log, api, stream");
  });
});
