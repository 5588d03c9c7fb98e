import { refuse } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSessionsWorld, type SessionsWorld } from "../sessions/testing.ts";
import { changeSettings, readSettings } from "../settings/settings.ts";
import { maskAccount, memberInfo } from "./member-info.ts";
import { nameRegionRule } from "./name-region-rule.ts";
import { setLanguage, setName, setWallet } from "./set-profile.ts";

let world: SessionsWorld;
beforeAll(async () => {
  world = await createSessionsWorld();
});
afterAll(() => world.close());
const info = (memberId: never) => memberInfo(world.context, memberId, world.context.clock.now());

describe("a member", () => {
  it("is shown with a masked account until they set a name, which is shown as they wrote it", async () => {
    const { memberId } = await world.join("zoe@example.org");
    expect(await info(memberId as never)).toMatchObject({ username: "z•••@example.org", account: "z•••@example.org" });
    await setName(world.context, memberId, "  Zoé  \u202e <b> 王 ");
    expect(await info(memberId as never)).toMatchObject({ username: "Zoé <b> 王", account: "z•••@example.org" });
    expect(await setName(world.context, memberId, " \u200b ")).toMatchObject({
      refusal: { fields: { username: "FIELD_INVALID" } },
    });
  });

  it("can't choose a name that others would take for the house", async () => {
    const { memberId } = await world.join("house@example.org");
    for (const name of ["Fairtick Support", "Fаirtісk", "客 服", "Adm1n"])
      expect(await setName(world.context, memberId, name)).toMatchObject({
        refusal: { error: "NAME_RESERVED", fields: { username: "NAME_RESERVED" } },
      });
    expect(await info(memberId as never)).toMatchObject({ username: "h•••@example.org" });
  });

  it("chooses wallet and language, but can't choose a real wallet that the region closes", async () => {
    const { memberId } = await world.join("wallet@example.org");
    expect((await setWallet(world.context, memberId, "real")).ok).toBe(true);
    expect((await setLanguage(world.context, memberId, "de")).ok).toBe(true);
    expect(await info(memberId as never)).toMatchObject({ wallet: "real", language: "de", realWalletOpen: true });
    await world.context.databases.sessions.query("UPDATE members SET region = 'FR' WHERE member_id = $1", [memberId]);
    expect(await setWallet(world.context, memberId, "real")).toMatchObject({
      refusal: { error: "REGION_PRACTICE_ONLY", params: { year: "2018" } },
    });
    const ofOrders = refuse("REGION_PRACTICE_ONLY");
    expect(await nameRegionRule(world.context, memberId as never, ofOrders)).toMatchObject({
      refusal: { error: "REGION_PRACTICE_ONLY", params: { rule: expect.stringContaining("ESMA"), year: "2018" } },
    });
    expect(await nameRegionRule(world.context, memberId as never, refuse("NOT_NOW"))).toEqual(refuse("NOT_NOW"));
    expect(await info(memberId as never)).toMatchObject({ wallet: "practice", realWalletOpen: false });
    expect((await setWallet(world.context, memberId, "practice")).ok).toBe(true);
  });

  it("can change each setting separately", async () => {
    const { memberId } = await world.join("settings@example.org");
    expect(await readSettings(world.context, memberId)).toMatchObject({
      theme: "system",
      textSize: "100",
      sounds: false,
    });
    await Promise.all([
      changeSettings(world.context, memberId, { theme: "dark" }),
      changeSettings(world.context, memberId, { sounds: true }),
      changeSettings(world.context, memberId, { textSize: "150", theme: undefined }),
    ]);
    expect(await readSettings(world.context, memberId)).toMatchObject({
      theme: "dark",
      textSize: "150",
      sounds: true,
      haptics: true,
    });
  });

  it.each([
    ["m@example.org", "m•••@example.org"],
    ["été@example.org", "é•••@example.org"],
    ["+491511234567", "+49••••••4567"],
    ["+1234567", "+12•••4567"],
  ])("%s is masked as %s", (account, masked) => {
    expect(maskAccount(account)).toBe(masked);
  });
});
