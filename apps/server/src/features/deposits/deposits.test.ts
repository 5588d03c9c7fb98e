import { formatId, type MemberId, type MicroUsd, type Rate } from "@fairtick/domain";
import { ED25519_TYPE, signerKey, verifyDepositPlace } from "@fairtick/transparency";
import { HDKey } from "@scure/bip32";
import { createBuilder, type Builder } from "@fairtick/testkit";
import { TronWeb } from "tronweb";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { messageOf } from "../../platform/http/messages.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { checksumAddress, formatChainAddress } from "../../platform/chain-text.ts";
import { createAddressMaker } from "./derive-address.ts";
import { listDeposits, readDeposit } from "./list-deposits.ts";
import { type DepositContext, listMethods, showAddress } from "./show-address.ts";

const MNEMONIC = "test test test test test test test test test test test junk";
/** Public key of the mnemonic's account `m/44'/60'/0'`. */
const XPUB =
  "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP";

/** Public key of the mnemonic's account `m/44'/195'/0'`. */
const TRON_XPUB =
  "xpub6BuRy7ZmkGfP2RWhoor1kWB1w9DvrtmJbFBvnC1bQ4SB5NbCHTyQYCJSXZtxDbFyHTmC7wkU2he3nYYdpZ3Vf6qUAkXSnL6RPif4BDtDEKr";

const CHAIN: ChainSettings = {
  chain: "test",
  kind: "evm",
  name: "Test chain",
  url: "http://127.0.0.1:1",
  witnessUrl: null,
  walletUrl: null,
  headers: {},
  witnessHeaders: {},
  token: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  confirmations: 2,
  minimum: 5_000_000n as MicroUsd,
  sweepAbove: null,
  rate: 1_000_000n as Rate,
  explorer: "https://explorer.example/tx/{hash}",
  genesis: null,
  startHeight: null,
  mayStartAnew: false,
};

const SIGNER = acceptanceSigner(signerKey("test/acceptance", ED25519_TYPE, new Uint8Array(32).fill(7)));
const NO_KEYS = { origin: "test", logKeys: [], acceptanceKeys: [], witnessKeys: [], witnessesNeeded: 0 };

let base: TestContext;
let build: Builder;
let context: DepositContext;
beforeAll(async () => {
  base = await createTestContext();
  build = await createBuilder(base.database.url);
  context = {
    ...base,
    config: { ...base.config, chains: [CHAIN] },
    addresses: createAddressMaker({ evm: XPUB, tron: TRON_XPUB }),
    addressSigner: SIGNER,
  };
});
afterAll(async () => {
  await build.end();
  await base.close();
});

const now = () => base.clock.now();
const member = async (change = {}) => (await build.createMember({ region: "BR", ...change })) as MemberId;

describe("an address maker", () => {
  it.each([0, 1, 7, 2 ** 31 - 1])("makes the address that the seed's owner would make: child %d", (child) => {
    const owner = mnemonicToAccount(MNEMONIC, { addressIndex: child });
    expect(checksumAddress(createAddressMaker({ evm: XPUB, tron: null }).of("evm")!.address(child))).toBe(
      owner.address,
    );
  });

  it.each([0, 1, 7, 2 ** 31 - 1])("makes the address on TRON that tronweb's owner would make: child %d", (child) => {
    const owner = TronWeb.fromMnemonic(MNEMONIC, `m/44'/195'/0'/0/${child}`);
    const made = createAddressMaker({ evm: null, tron: TRON_XPUB }).of("tron")!.address(child);
    expect(formatChainAddress("tron", made)).toBe(owner.address);
  });

  it("makes none on a kind of chain without a configured account", () => {
    expect(createAddressMaker({ evm: XPUB, tron: null }).of("tron")).toBe(null);
  });

  it("accepts only public keys", () => {
    const xprv = HDKey.fromMasterSeed(new Uint8Array(32).fill(1)).privateExtendedKey;
    expect(() => createAddressMaker({ evm: xprv, tron: null })).toThrow("public key");
  });
});

describe("a deposit address", () => {
  it("is the member's own and always the same, even if they ask many times at once", async () => {
    const [one, two] = [await member(), await member()];
    const shown = await Promise.all([1, 2, 3, 4].map(() => showAddress(context, one, "test", now())));
    const addresses = new Set(shown.map((answer) => (answer.ok ? answer.value.address : "refused")));
    expect(addresses.size).toBe(1);
    expect(await showAddress(context, two, "test", now())).toMatchObject({ ok: true, value: { key: SIGNER.keyId } });
    const { rows } = await build.client.query(
      "SELECT count(DISTINCT child)::integer AS children FROM deposit_addresses",
    );
    expect(rows[0].children).toBe(2);
  });

  it("is signed for its member, and the signature is invalid for another member, chain or address", async () => {
    const [mine, theirs] = [await member(), await member()];
    const [shown, other] = [
      await showAddress(context, mine, "test", now()),
      await showAddress(context, theirs, "test", now()),
    ];
    if (!shown.ok || !other.ok) throw new Error("refused");
    const policy = { ...NO_KEYS, acceptanceKeys: [SIGNER.verifier] };
    const asShown = { ...shown.value, member: formatId("member", mine) };
    expect(verifyDepositPlace(policy, asShown)).toBe(true);
    expect(verifyDepositPlace(policy, { ...asShown, address: other.value.address })).toBe(false);
    expect(verifyDepositPlace(policy, { ...asShown, member: formatId("member", theirs) })).toBe(false);
    expect(verifyDepositPlace(policy, { ...other.value, member: formatId("member", mine) })).toBe(false);
    expect(verifyDepositPlace(NO_KEYS, asShown)).toBe(false);
  });

  it("is not shown if somebody has written another one into the table", async () => {
    const memberId = await member();
    await showAddress(context, memberId, "test", now());
    await build.client.query("ALTER TABLE deposit_addresses DISABLE TRIGGER refuse_row_change");
    await build.client.query("UPDATE deposit_addresses SET address = '0x' || repeat('9', 40) WHERE member_id = $1", [
      memberId,
    ]);
    for (const _again of [1, 2]) {
      const shown = await showAddress(context, memberId, "test", now());
      expect(shown).toEqual({ ok: false, refusal: { error: "ADDRESS_ALTERED" } });
    }
    const { rows } = await build.client.query("SELECT kind FROM incidents WHERE member_id = $1 AND closed_at IS NULL", [
      memberId,
    ]);
    expect(rows).toEqual([{ kind: "address_altered" }]);
  });

  it.each([
    ["a region that leaves practice alone", { region: "DE" }, "REGION_PRACTICE_ONLY"],
    ["a suspended member", { standing: "suspended", standingReason: "shared account" }, "SUSPENDED"],
    ["a closed account", { standing: "closed" }, "CLOSED"],
  ])("is refused to %s", async (_whom, change, error) => {
    const memberId = await member(change);
    expect(await showAddress(context, memberId, "test", now())).toMatchObject({ ok: false, refusal: { error } });
    expect(await listMethods(context, memberId, now())).toMatchObject({ ok: false, refusal: { error } });
  });

  it("names the law if the region allows practice only", async () => {
    const refused = await showAddress(context, await member({ region: "DE" }), "test", now());
    if (refused.ok) throw new Error("taken");
    expect(refused.refusal.params).toMatchObject({ rule: expect.stringContaining("ESMA"), year: "2018" });
    expect(messageOf(refused.refusal, "en", "deposit/address")).toContain(String(refused.refusal.params?.["rule"]));
    expect(messageOf(refused.refusal, "de", "deposit/address")).toContain("(2018)");
  });

  it("needs a verified identity if the deployment requires it", async () => {
    const strict = { ...context, config: { ...context.config, identityBeforeDeposit: true } };
    const memberId = await member();
    const asked = async () => {
      const [address, methods] = [
        await showAddress(strict, memberId, "test", now()),
        await listMethods(strict, memberId, now()),
      ];
      expect(address.ok).toBe(methods.ok);
      return address.ok || address.refusal.error;
    };
    expect((await showAddress(context, memberId, "test", now())).ok).toBe(true);
    expect(await asked()).toBe("IDENTITY_REQUIRED");
    const newCase = (caseId: number) =>
      build.client.query(
        `INSERT INTO identity_cases (case_id, member_id, family_name, given_name, gender, birth_date, document_type, document_number,
           number_hash, front_file_id, back_file_id, submitted_at)
         VALUES ($1, $2, 'a', 'b', 'male', '1990-01-01', 'idCard', '', sha256(''), 1, 2, 0)`,
        [caseId, memberId],
      );
    const { rows } = await build.client.query<{ operator_id: string }>(
      "INSERT INTO operators (operator_id, login, name, created_at) VALUES (1, 'reviewer', 'reviewer', 0) RETURNING operator_id",
    );
    const decide = (state: string) =>
      build.client.query(
        `UPDATE identity_cases SET state = $1, decided_at = 1, decided_by = $2, reason = 'because', document_birth_date = '1990-01-01'
         WHERE member_id = $3 AND state = 'pending'`,
        [state, rows[0]!.operator_id, memberId],
      );
    await newCase(1);
    expect(await asked()).toBe("IDENTITY_PENDING");
    await decide("rejected");
    expect(await asked()).toBe("IDENTITY_REQUIRED");
    await newCase(2);
    await decide("verified");
    expect(await asked()).toBe(true);
  });

  it("is refused for a chain that is not offered", async () => {
    expect(await showAddress(context, await member(), "other", now())).toMatchObject({
      refusal: { error: "CHAIN_UNKNOWN" },
    });
  });
});

describe("the ways to deposit", () => {
  it("are the chains that are being read", async () => {
    const memberId = await member();
    expect(await listMethods(context, memberId, now())).toMatchObject({ value: { crypto: [], bank: [], card: true } });
    await build.client.query(
      `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
       VALUES ('test', 31337, '0x1', $1, 9, '0x9', 9, $2)`,
      [CHAIN.token, now()],
    );
    expect(await listMethods(context, memberId, now())).toMatchObject({
      value: { crypto: [{ chain: "test", minimum: "5.000000", confirmations: 2, rate: "1.00" }] },
    });
    base.clock.advance(61_000);
    expect(await listMethods(context, memberId, now())).toMatchObject({ value: { crypto: [] } });
  });
});

describe("a member's deposits", () => {
  it("are shown to them only, newest first, page by page, with their facts on the chain", async () => {
    const [mine, theirs] = [await member(), await member()];
    for (let number = 1; number <= 3; number += 1) {
      await build.client.query(
        `INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at) VALUES ($1, $2, 'crypto', 'confirming', $3, 5, 5)`,
        [number, mine, number * 10_000_000],
      );
      await build.client.query(
        `INSERT INTO chain_transfers (instance_id, tx_hash, log_index, deposit_id, token, from_address, to_address, raw_amount, rate, height, block_hash)
         SELECT instance_id, '0xhash' || $1::bigint, 0, $1::bigint, token, '0xa', '0xb', $2, 1000000, 9, '0x9' FROM chain_instances LIMIT 1`,
        [number, number * 10_000_000],
      );
    }
    const first = await listDeposits(context, mine, { limit: 2 }, now());
    if (!first.ok) throw new Error("refused");
    expect(first.value.items).toMatchObject([
      { amount: "30.00", quantity: "30.000000", confirmations: 1, confirmationsNeeded: 2, state: "processing" },
      { amount: "20.00", explorerUrl: "https://explorer.example/tx/0xhash2" },
    ]);
    const rest = await listDeposits(context, mine, { cursor: first.value.nextCursor! }, now());
    expect(rest).toMatchObject({ value: { items: [{ amount: "10.00" }], nextCursor: null } });
    const { depositNo } = first.value.items[0]!;
    expect(await readDeposit(context, mine, depositNo, now())).toMatchObject({ value: { depositNo } });
    expect(await readDeposit(context, theirs, depositNo, now())).toMatchObject({ refusal: { error: "NOT_FOUND" } });
    expect(await listDeposits(context, theirs, {}, now())).toMatchObject({ value: { items: [] } });
    expect(await listDeposits(context, mine, { cursor: "rec_1" }, now())).toMatchObject({
      refusal: { error: "FIELD_INVALID" },
    });
  });
});
