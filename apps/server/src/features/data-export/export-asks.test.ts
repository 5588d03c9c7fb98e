import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FileAnswer } from "../../platform/http/index.ts";
import { fromBase32, totp } from "../../platform/second-factor/totp.ts";
import { createOrderWorld, instant, type OrderWorld } from "../orders/test-world.ts";
import { registerTotp, startTotp } from "../factor-settings/set-up-factors.ts";
import { PASSWORD, setFirstTradePassword } from "../sessions/testing.ts";
import { dataExportRoutes } from "./data-export-routes.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(async () => {
  await world.close();
});

it("returns the archive only for the login password and the second factor", async () => {
  const memberId = (await world.build.createMember()) as MemberId;
  const now = instant(await world.build.now());
  await setFirstTradePassword(world.context, memberId, "482915", now);
  const { rows } = await world.build.client.query<{ session_id: bigint }>(
    `INSERT INTO sessions (session_id, member_id, token_hash, device, place, created_at, seen_at, expires_at)
     VALUES (77, $1, sha256('77'), '', '', now(), now(), now() + interval '1 day') RETURNING session_id`,
    [memberId],
  );
  const by = { memberId, sessionId: rows[0]!.session_id };
  const [route] = dataExportRoutes(world.context, world.placing);
  const ask = (at: typeof now, loginPassword: string, secondFactor?: string) =>
    route!.handler({ input: { loginPassword, secondFactor }, session: by, now: at, lang: "en" } as never);

  expect(await ask(now, "not the password")).toMatchObject({ refusal: { error: "WRONG_PASSWORD" } });
  expect(await ask(now, PASSWORD)).toBeInstanceOf(FileAnswer);

  const started = await startTotp(world.context, { loginPassword: PASSWORD }, { ...by, now });
  if (!started.ok) throw new Error(started.refusal.error);
  const secret = fromBase32(started.value.secret);
  expect((await registerTotp(world.context, totp(secret, now), { ...by, now })).ok).toBe(true);
  const later = (now + 60_000n) as typeof now;
  expect(await ask(later, PASSWORD)).toMatchObject({ refusal: { error: "SECOND_FACTOR_REQUIRED" } });
  expect(await ask(later, PASSWORD, "000000")).toMatchObject({ refusal: { error: "SECOND_FACTOR_WRONG" } });
  expect(await ask(later, "not the password", totp(secret, later))).toMatchObject({
    refusal: { error: "WRONG_PASSWORD" },
  });
  expect(await ask(later, PASSWORD, totp(secret, later))).toBeInstanceOf(FileAnswer);
  // Each code works only once.
  expect(await ask(later, PASSWORD, totp(secret, later))).toMatchObject({ refusal: { error: "SECOND_FACTOR_WRONG" } });
});
