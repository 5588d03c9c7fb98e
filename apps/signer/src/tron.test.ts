import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  decodeTokenTransfer,
  decodeTronTransaction,
  fromHex,
  type Instant,
  type Payment,
  toHex,
  TRON_OVER_MS,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { utils } from "tronweb";
import { recoverAddress } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal, openSigner, parseRules, payoutKey, readSeed, type Signer } from "./index.ts";
import { EXPIRES_MS_MAX } from "./tron.ts";

const GENESIS = `0x${"1".repeat(64)}`;
const TOKEN = "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c";
const BLOCK = { height: 71_099_826n, hash: `0x${"00".repeat(4)}043ce5b2${"5a".repeat(24)}` };
const NOW = 1_795_271_400_000n as Instant;
const EXPIRATION = NOW + 300_000n;
/** When the transaction can no longer be included, even as reported by nodes behind a load balancer. */
const OVER = EXPIRATION + TRON_OVER_MS;
const RULES = JSON.stringify({
  chains: [
    {
      chain: "728126428",
      genesis: GENESIS,
      kind: "tron",
      token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      nodes: ["http://one.test", "http://two.test/"],
    },
    { chain: "1", genesis: GENESIS, token: TOKEN },
  ],
});

let accounts: [PrivateKeyAccount, PrivateKeyAccount] | undefined;
let folder: string;
let now: Instant;
/** What each of the signer's own nodes reports; an error for a node that doesn't answer. */
let nodes: Record<string, { time: bigint; has: readonly string[] } | Error>;
let asked: string[];
let close: () => void;
let signer: Signer;

function open(): void {
  const journal = openJournal(folder);
  close = () => journal.close();
  // Derived once, because deriving keys from a mnemonic is slow.
  accounts ??= [payoutKey(readSeed(folder)), payoutKey(readSeed(folder), "tron")];
  const [account, tronAccount] = accounts;
  const solidified = ({ url }: { readonly url: string }) => {
    const said = () => {
      const node = nodes[url];
      if (node === undefined || node instanceof Error) throw node ?? new Error("no such node");
      return node;
    };
    return {
      time: async () => {
        asked.push("time");
        return said().time;
      },
      has: async (hash: string) => {
        asked.push(hash);
        return said().has.includes(hash);
      },
    };
  };
  signer = openSigner({
    account,
    tronAccount,
    journal,
    rules: parseRules(RULES),
    clock: { now: () => now },
    solidified,
  });
}
beforeEach(() => {
  now = NOW;
  asked = [];
  nodes = { "http://one.test": { time: NOW, has: [] }, "http://two.test/": { time: NOW, has: [] } };
  folder = mkdtempSync(join(tmpdir(), "signer-tron-"));
  writeFileSync(join(folder, "mnemonic"), "test test test test test test test test test test test junk");
  open();
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true });
});

let made = 0;
function payment(amount: number, change: Partial<Payment> = {}): Payment {
  made += 1;
  return {
    id: `wdr_${made}`,
    chain: 728_126_428n,
    genesis: GENESIS,
    token: TOKEN,
    to: `0x${"3".repeat(40)}`,
    amount: BigInt(amount) * 1_000_000n,
    expiry: (NOW + 86_400_000n) as Instant,
    ...change,
  };
}
const terms = { feeLimit: 100_000_000n, block: BLOCK, expiration: EXPIRATION };
function agreed(amount = 20): Payment {
  const one = payment(amount);
  signer.authorize({ payment: one, approvals: [] });
  return one;
}
const sign = (one: Payment, nonce: number, attempt: number, tron = terms) =>
  signer.sign({ payment: one, nonce, attempt, tron });
const why = (answer: { ok: boolean; refusal?: string; value?: unknown }) => (answer.ok ? "signed" : answer.refusal);
const read = (raw: string) => decodeTronTransaction(fromHex(raw.slice(2))!)!;
/** Advances both nodes' solidified blocks past the first transaction's end, and the signer's clock with them. */
function expire(): void {
  now = (OVER + 1n) as Instant;
  for (const url of Object.keys(nodes)) nodes[url] = { time: OVER, has: [] };
}
const again = { ...terms, expiration: OVER + 300_000n };

describe("a transaction of TRON", () => {
  it("is a token transfer of exactly that payment, with its own hash, signed with the seed's TRON key", async () => {
    const one = agreed(299);
    const answer = await sign(one, 7, 1);
    if (!answer.ok) throw new Error(answer.detail);
    const { call, raw, signature } = read(answer.value.raw);
    expect(call).toMatchObject({ owner: signer.state().tronAddress, contract: TOKEN, expiration: EXPIRATION });
    expect(call).toMatchObject({ feeLimit: 100_000_000n, timestamp: NOW });
    expect([toHex(call.refBlockBytes), toHex(call.refBlockHash)]).toEqual(["e5b2", "5a".repeat(8)]);
    expect(decodeTokenTransfer(call.data)).toEqual({ to: one.to, units: 299_000_000n });
    expect(answer.value.hash).toBe(`0x${toHex(nodeHashes.sha256(raw))}`);
    const recovered = await recoverAddress({
      hash: answer.value.hash as `0x${string}`,
      signature: `0x${toHex(signature)}`,
    });
    expect(recovered.toLowerCase()).toBe(signer.state().tronAddress);
    expect(signer.state().tronAddress).not.toBe(signer.state().address);
  });

  it("has the signature that tronweb gives the same hash with the same key", async () => {
    const { HDKey } = await import("@scure/bip32");
    const { mnemonicToSeedSync } = await import("@scure/bip39");
    const words = readFileSync(join(folder, "mnemonic"), "utf8");
    const key = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive("m/44'/195'/1'/0/0").privateKey!;
    const answer = await sign(agreed(), 0, 1);
    if (!answer.ok) throw new Error(answer.detail);
    const theirs = utils.crypto.signTransaction(toHex(key), { txID: answer.value.hash.slice(2) });
    expect(toHex(read(answer.value.raw).signature)).toBe(String(theirs.signature[0]).toLowerCase());
  });

  it("is the same for the same attempt, whatever else is requested, even after a restart", async () => {
    const one = agreed();
    const first = await sign(one, 0, 1);
    close();
    open();
    expect(await sign(one, 0, 1, { ...again, feeLimit: 1n })).toEqual(first);
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8").match(/"t":"signed"/g)).toHaveLength(1);
  });

  it("differs for another withdrawal of the same amount to the same address at the same instant", async () => {
    const [one, two] = [await sign(agreed(20), 0, 1), await sign(agreed(20), 1, 1)];
    if (!one.ok || !two.ok) throw new Error("not signed");
    expect(one.value.hash).not.toBe(two.value.hash);
    expect(read(one.value.raw).call.data).toEqual(read(two.value.raw).call.data);
  });

  it.each<[string, Partial<typeof terms>, string]>([
    ["may burn more than the limit", { feeLimit: 100_000_001n }, "FEE"],
    ["may burn nothing", { feeLimit: 0n }, "FEE"],
    ["is over", { expiration: NOW }, "EXPIRATION"],
    ["is valid for too long", { expiration: NOW + EXPIRES_MS_MAX + 1n }, "EXPIRATION"],
  ])("that %s is not signed", async (_what, change, refusal) => {
    expect(why(await sign(agreed(), 0, 1, { ...terms, ...change }))).toBe(refusal);
  });

  it("is not signed for a payment on an EVM chain, nor an EVM transaction for TRON", async () => {
    const here = agreed();
    expect(why(await signer.sign({ payment: here, nonce: 0, attempt: 1, maxFee: 2n, priorityFee: 1n }))).toBe(
      "NOT_ALLOWED",
    );
    const there = payment(20, { chain: 1n });
    signer.authorize({ payment: there, approvals: [] });
    expect(why(await sign(there, 0, 1))).toBe("NOT_ALLOWED");
    expect(signer.state().alarms).toHaveLength(2);
  });

  it("is not signed for a payment to either of the signer's own wallets", () => {
    for (const to of [signer.state().address, signer.state().tronAddress]) {
      expect(why(signer.authorize({ payment: payment(20, { to }), approvals: [] }))).toBe("NOT_ALLOWED");
    }
  });
});

describe("another transaction for the same payment", () => {
  it("is signed once each of the signer's nodes has solidified past the first one's end without it", async () => {
    const one = agreed();
    const first = await sign(one, 0, 1);
    expire();
    asked = [];
    const second = await sign(one, 0, 2, again);
    if (!first.ok || !second.ok) throw new Error("not signed");
    expect(read(second.value.raw).call.data).toEqual(read(first.value.raw).call.data);
    // A node is asked for its height before it is asked for the transaction. In the opposite order, the transaction
    // could arrive in between.
    expect(asked).toEqual(["time", first.value.hash, "time", first.value.hash]);
  });

  const refused: readonly (readonly [string, (first: string) => void, number])[] = [
    [
      "while a solidified block is not a minute past its end",
      () => (nodes["http://two.test/"] = { time: OVER - 1n, has: [] }),
      0,
    ],
    ["while a node cannot be reached", () => (nodes["http://one.test"] = new Error("no answer")), 0],
    ["because a node has it in a block", (first) => (nodes["http://two.test/"] = { time: OVER + 9n, has: [first] }), 1],
  ];
  it.each(refused)("is not signed %s, whatever the server says", async (_what, change, alarms) => {
    const one = agreed();
    const first = await sign(one, 0, 1);
    if (!first.ok) throw new Error(first.detail);
    expire();
    change(first.value.hash);
    expect(why(await sign(one, 0, 2, again))).toBe("MAY_BE_PAID");
    expect(signer.state().alarms).toHaveLength(alarms);
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8").match(/"t":"signed"/g)).toHaveLength(1);
  });

  it("is not signed by the clock alone, because the chain may stop and resume", async () => {
    const one = agreed();
    await sign(one, 0, 1);
    now = (EXPIRATION + 86_400_000n) as Instant;
    expect(why(await sign(one, 0, 2, { ...terms, expiration: now + 300_000n }))).toBe("MAY_BE_PAID");
  });

  it("waits for all earlier ones, not only the last", async () => {
    const one = agreed();
    const first = await sign(one, 0, 1);
    if (!first.ok) throw new Error(first.detail);
    expire();
    await sign(one, 0, 2, again);
    now = (again.expiration + TRON_OVER_MS + 1n) as Instant;
    nodes["http://one.test"] = { time: again.expiration + TRON_OVER_MS, has: [first.value.hash] };
    nodes["http://two.test/"] = { time: again.expiration + TRON_OVER_MS, has: [] };
    expect(why(await sign(one, 0, 3, { ...terms, expiration: now + 300_000n }))).toBe("MAY_BE_PAID");
  });

  it("has the same nonce and follows the previous attempt", async () => {
    const one = agreed();
    await sign(one, 0, 1);
    expire();
    expect(why(await sign(one, 1, 2, again))).toBe("OTHER_NONCE");
    expect(why(await sign(one, 0, 3, again))).toBe("FEE");
  });
});

describe("the rules", () => {
  it("require a node for TRON, and the token's address in TRON's form", () => {
    const chain = { chain: "1", genesis: GENESIS, kind: "tron" };
    const rules = (more: object) => () => parseRules(JSON.stringify({ chains: [{ ...chain, ...more }] }));
    const token = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
    expect(rules({ token, nodes: [] })).toThrow("Invalid length");
    expect(rules({ token })).toThrow("nodes");
    expect(rules({ token: TOKEN, nodes: ["http://one.test"] })).toThrow("TRON address");
    expect(rules({ token, nodes: ["http://one.test"] })().chains[0]?.token).toBe(TOKEN);
  });

  it.each([
    ["a limit", { paymentMaximum: "1" }, {}],
    ["a chain's token count", {}, { decimal: 6 }],
  ])("refuse %s under an unknown name, which would otherwise have no effect", (_what, more, ofChain) => {
    const chain = { chain: "1", genesis: GENESIS, token: TOKEN, ...ofChain };
    const [name] = Object.keys({ ...more, ...ofChain });
    expect(() => parseRules(JSON.stringify({ chains: [chain], ...more }))).toThrow(name);
  });

  it("allow headers for a node, except those that HTTP itself uses", () => {
    const chain = { chain: "1", genesis: GENESIS, kind: "tron", token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" };
    const read = (...nodes: unknown[]) =>
      parseRules(JSON.stringify({ chains: [{ ...chain, nodes }] })).chains[0]?.nodes;
    const url = "https://provider.example";
    const headers = { "TRON-PRO-API-KEY": "0a1b-2c3d" };
    expect(read("https://own.example", { url, headers })).toEqual([
      { url: "https://own.example", headers: {} },
      { url, headers },
    ]);
    expect(() => read({ url, headers: { "x-key": "a\nb" } })).toThrow("values of one line");
    expect(() => read({ url, headers: { Host: "another" } })).toThrow("names that can be chosen");
  });
});
