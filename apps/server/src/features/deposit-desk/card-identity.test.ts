import { formatId, type MemberId } from "@fairtick/domain";
import { LANGUAGE_CODES, translate } from "@fairtick/i18n/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refuseNewDeposit } from "../deposits/may-deposit.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
  world = await createConsoleWorld({ identityBeforeDeposit: true });
});
afterAll(() => world.close());

/** Inserts an identity case in this state, as a submission and its decision would leave it. */
async function handedIn(id: MemberId, state: "pending" | "rejected" | "verified"): Promise<void> {
  const { client } = world.builder;
  await client.query(
    `INSERT INTO identity_cases (case_id, member_id, family_name, given_name, gender, birth_date, document_type, document_number,
       number_hash, front_file_id, back_file_id, submitted_at)
     VALUES ($1::bigint, $1::bigint, 'Silva', 'Ana', 'female', '1990-05-17', 'idCard', sha256('x'), sha256($1::bigint::text::bytea), 1, 2, 1)`,
    [id],
  );
  if (state === "pending") return;
  await client.query(
    `UPDATE identity_cases SET state = $2, decided_at = 1, decided_by = (SELECT min(operator_id) FROM operators), reason = 'because',
       document_birth_date = '1990-05-17' WHERE member_id = $1`,
    [id, state],
  );
}

it("a card deposit needs a verified identity if the deployment requires one, whoever requests it", async () => {
  const [support, finance] = [await world.logIn("support-1"), await world.logIn("finance-1")];
  for (const [state, refusal] of [
    [null, "IDENTITY_REQUIRED"],
    ["pending", "IDENTITY_PENDING"],
    ["rejected", "IDENTITY_REQUIRED"],
    ["verified", null],
  ] as const) {
    const id = (await world.builder.createMember({ region: "BR" })) as MemberId;
    if (state !== null) await handedIn(id, state);
    // The member's own check, which runs before the app sends them to customer service.
    const own = await refuseNewDeposit(world.context, id, world.context.clock.now());
    expect(own?.error ?? null).toBe(refusal);
    for (const [place, cookie] of [support, finance].entries()) {
      const reference = `ACQ-${id}-${place}`;
      const wish = {
        memberId: formatId("member", id),
        amount: "200.00",
        reference,
        reason: "Paid by card",
        clientId: reference,
      };
      const { status, body } = await world.call("deposit/proposeCard", wish, cookie);
      const said = body.data as { readonly error?: string };
      expect([status, said.error ?? null]).toEqual([refusal === null ? 200 : 403, refusal]);
    }
  }
});

it.each(["IDENTITY_REQUIRED", "IDENTITY_PENDING"] as const)("%s has a message in every language", (error) => {
  const words = LANGUAGE_CODES.map((code) => translate(code, `errors.${error}`));
  expect(words[0]).toMatch(/identity/i);
  expect(new Set(words).size).toBe(LANGUAGE_CODES.length);
});
