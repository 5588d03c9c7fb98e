import { createHash, generateKeyPairSync } from "node:crypto";
import { concatBytes, formatId, fromHex, type MemberId, ORDER_DEVICES_MAX, toHex, utf8 } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createSessionsWorld, type SessionsWorld, setFirstTradePassword } from "../sessions/testing.ts";
import { addDevice } from "./add-device.ts";
import { listDevices } from "./list-devices.ts";
import { removeDevice } from "./remove-device.ts";

const TRADE_PASSWORD = "274915";
let world: SessionsWorld;
let memberId: MemberId;
let email: string;
let made = 0;
beforeAll(async () => {
  world = await createSessionsWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  made += 1;
  email = `device-${made}@example.org`;
  ({ memberId } = await world.join(email));
  await setFirstTradePassword(world.context, memberId, TRADE_PASSWORD, now());
});

const now = () => world.context.clock.now();
function newKey(namedCurve = "P-256"): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve });
  return publicKey.export({ format: "der", type: "spki" }).toString("base64url");
}
const add = (publicKey: string, tradePassword?: string) =>
  addDevice(world.context, memberId, { publicKey, label: "Firefox on Linux", tradePassword }, now());
const list = () => listDevices(world.context.databases.reader, memberId);
async function entries(kind: string): Promise<{ readonly hash: string }[]> {
  const rows = await world.context.databases.jobs.query<{ entry: string }>(
    "SELECT entry FROM outbox WHERE kind = $1 ORDER BY outbox_id",
    [kind],
  );
  return rows.map(({ entry }) => JSON.parse(entry) as { hash: string });
}

it("a first device needs only a session, and is in the log as a hash that its member can open", async () => {
  const key = newKey();
  const added = await add(key);
  const [device] = await list();
  if (!added.ok || device === undefined) throw new Error("not added");
  expect(device).toMatchObject({
    deviceId: added.value.deviceId,
    publicKey: key,
    label: "Firefox on Linux",
    removedAt: null,
  });
  const told = `{"device":"${device.deviceId}","key":"${key}","member":"${formatId("member", memberId)}","v":1}`;
  const nonce = fromHex(device.nonce) ?? new Uint8Array();
  const hash = createHash("sha256")
    .update(concatBytes(utf8("DEVICE1\0"), nonce, utf8(told)))
    .digest();
  expect(device.hash).toBe(toHex(hash));
  expect((await entries("device.add")).at(-1)).toMatchObject({ hash: device.hash });
});

it("the same key again is the same device", async () => {
  const key = newKey();
  expect(await add(key)).toEqual(await add(key));
  expect(await list()).toHaveLength(1);
});

it("a further device needs the transaction password, and its member is told", async () => {
  await add(newKey());
  expect(await add(newKey())).toMatchObject({ ok: false, refusal: { fields: { tradePassword: "FIELD_MISSING" } } });
  expect(await add(newKey(), "111222")).toMatchObject({ ok: false, refusal: { error: "TRADE_PASSWORD_WRONG" } });
  expect(await add(newKey(), TRADE_PASSWORD)).toMatchObject({ ok: true });
  await world.context.messenger.drained();
  const [mail] = world.inbox.messages(email);
  expect(mail?.text).toContain("From now on, Firefox on Linux can sign orders for your account");
});

it("a member who once had a device needs the password for the next one too", async () => {
  const first = await add(newKey());
  if (!first.ok) throw new Error(first.refusal.error);
  await removeDevice(world.context, memberId, first.value.deviceId);
  expect(await add(newKey())).toMatchObject({ ok: false, refusal: { fields: { tradePassword: "FIELD_MISSING" } } });
});

it("devices can't exceed the maximum number when added at once", async () => {
  for (let number = 0; number < ORDER_DEVICES_MAX; number += 1)
    expect(await add(newKey(), TRADE_PASSWORD)).toMatchObject({ ok: true });
  expect(await add(newKey(), TRADE_PASSWORD)).toEqual({
    ok: false,
    refusal: { error: "DEVICES_FULL", params: { max: ORDER_DEVICES_MAX } },
  });
});

it("a removed device stays in the list and in the log", async () => {
  const added = await add(newKey());
  if (!added.ok) throw new Error(added.refusal.error);
  expect(await removeDevice(world.context, memberId, added.value.deviceId)).toEqual({ ok: true, value: null });
  expect(await removeDevice(world.context, memberId, added.value.deviceId)).toEqual({ ok: true, value: null });
  const [device] = await list();
  expect(device?.removedAt).not.toBeNull();
  expect(await entries("device.remove")).toContainEqual(expect.objectContaining({ hash: device?.hash }));
});

it("a member can't remove another member's device", async () => {
  const added = await add(newKey());
  if (!added.ok) throw new Error(added.refusal.error);
  const { memberId: stranger } = await world.join(`stranger-${made}@example.org`);
  expect(await removeDevice(world.context, stranger, added.value.deviceId)).toEqual({
    ok: false,
    refusal: { error: "NOT_FOUND" },
  });
  expect((await list())[0]?.removedAt).toBeNull();
});

it.each([
  ["a key on another curve", () => newKey("P-384")],
  ["no key", () => Buffer.alloc(91, 1).toString("base64url")],
  ["a key in another form", () => newKey().slice(0, -1)],
])("%s is refused", async (_name, key) => {
  expect(await add(key())).toMatchObject({ ok: false, refusal: { fields: { publicKey: "FIELD_INVALID" } } });
});
