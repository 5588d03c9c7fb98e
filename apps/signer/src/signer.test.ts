import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Instant, keyStatement, type Payment, paymentStatement } from "@fairtick/domain";
import { parseTransaction, recoverTransactionAddress, decodeFunctionData, erc20Abi } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal, openSigner, parseRules, payoutKey, readSeed, type Signer, startSigner } from "./index.ts";

const GENESIS = `0x${"1".repeat(64)}`;
const TOKEN = `0x${"2".repeat(40)}`;
const OTHER = `0x${"4".repeat(40)}`;
const MNEMONIC = "test test test test test test test test test test test junk";
const NOW = 1_795_271_400_000n as Instant;
const GWEI = 1_000_000_000n;
const usdt = (amount: number) => BigInt(Math.round(amount * 1e6));

const RULES = JSON.stringify({
  chains: [{ chain: "31337", genesis: GENESIS, token: TOKEN }],
  automaticDayMax: String(usdt(1_000)),
  dayMax: String(usdt(60_000)),
  trustFirstKey: true,
});

let folder: string;
let now = NOW;
let close: () => void;
let signer: Signer;

function open(rules = RULES): void {
  const journal = openJournal(folder);
  close = () => journal.close();
  const [account, tronAccount] = [payoutKey(readSeed(folder)), payoutKey(readSeed(folder), "tron")];
  signer = openSigner({ account, tronAccount, journal, rules: parseRules(rules), clock: { now: () => now } });
}
function reopen(): void {
  close();
  open();
}
beforeEach(() => {
  now = NOW;
  folder = mkdtempSync(join(tmpdir(), "signer-"));
  writeFileSync(join(folder, "mnemonic"), MNEMONIC);
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
    chain: 31_337n,
    genesis: GENESIS,
    token: TOKEN,
    to: `0x${"3".repeat(40)}`,
    amount: usdt(amount),
    expiry: (NOW + 86_400_000n) as Instant,
    ...change,
  };
}

async function newKey() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const publicKey = Buffer.from(await crypto.subtle.exportKey("raw", pair.publicKey)).toString("base64url");
  const sign = async (bytes: Uint8Array) =>
    Buffer.from(
      await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, new Uint8Array(bytes)),
    ).toString("base64url");
  return { publicKey, sign };
}
type Key = Awaited<ReturnType<typeof newKey>> & { readonly keyId: string };

async function enrolTwo(): Promise<[Key, Key]> {
  const [one, two] = [await newKey(), await newKey()];
  const first = signer.enrol({ operator: "opr_1", publicKey: one.publicKey, approval: null });
  if (!first.ok) throw new Error(first.detail);
  const statement = keyStatement({ operator: "opr_2", publicKey: two.publicKey });
  const approval = { keyId: first.value, signature: await one.sign(statement) };
  const second = signer.enrol({ operator: "opr_2", publicKey: two.publicKey, approval });
  if (!second.ok) throw new Error(second.detail);
  return [
    { ...one, keyId: first.value },
    { ...two, keyId: second.value },
  ];
}
const agree = async (key: Key, agreed: Payment) => ({
  keyId: key.keyId,
  signature: await key.sign(paymentStatement(agreed)),
});
const fees = { maxFee: 2n * GWEI, priorityFee: GWEI };
const why = (answer: { ok: boolean; refusal?: string; value?: unknown }) => (answer.ok ? answer.value : answer.refusal);

describe("the signer's own rule", () => {
  it("pays small amounts automatically up to a daily sum, counted over 24 hours by its own journal", () => {
    expect(why(signer.authorize({ payment: payment(500), approvals: [] }))).toBe("automatic");
    expect(why(signer.authorize({ payment: payment(500.000001), approvals: [] }))).toBe("NEEDS_APPROVALS");
    expect(why(signer.authorize({ payment: payment(400), approvals: [] }))).toBe("automatic");
    expect(why(signer.authorize({ payment: payment(101), approvals: [] }))).toBe("NEEDS_APPROVALS");
    reopen();
    expect(why(signer.authorize({ payment: payment(101), approvals: [] }))).toBe("NEEDS_APPROVALS");
    now = (NOW + 86_400_001n) as Instant;
    expect(why(signer.authorize({ payment: payment(101, { expiry: (now + 1n) as Instant }), approvals: [] }))).toBe(
      "automatic",
    );
  });

  it.each<[string, number, Partial<Payment>, string]>([
    ["another token", 10, { token: OTHER }, "NOT_ALLOWED"],
    ["another chain", 10, { chain: 1n }, "NOT_ALLOWED"],
    ["another instance of the chain", 10, { genesis: `0x${"9".repeat(64)}` }, "NOT_ALLOWED"],
    ["the token itself", 10, { to: TOKEN }, "NOT_ALLOWED"],
    ["nothing", 0, {}, "PAYMENT_LIMIT"],
    ["more than the largest payment", 50_000.01, {}, "PAYMENT_LIMIT"],
    ["an expired payment", 10, { expiry: NOW }, "EXPIRED"],
  ])("refuses %s, whoever approves", async (_what, amount, change, refusal) => {
    const [one, two] = await enrolTwo();
    const asked = payment(amount, change);
    const approvals = [await agree(one, asked), await agree(two, asked)];
    expect(why(signer.authorize({ payment: asked, approvals }))).toBe(refusal);
  });

  it("pays no more than the daily limit, whoever approves", async () => {
    const [one, two] = await enrolTwo();
    const [big, more] = [payment(50_000), payment(10_001)];
    expect(why(signer.authorize({ payment: big, approvals: [await agree(one, big), await agree(two, big)] }))).toBe(
      "operators",
    );
    expect(why(signer.authorize({ payment: more, approvals: [await agree(one, more), await agree(two, more)] }))).toBe(
      "DAY_LIMIT",
    );
  });
});

describe("approvals", () => {
  it("are signatures: one up to 5,000.00, and two from different people above", async () => {
    const [one, two] = await enrolTwo();
    const [middle, large] = [payment(5_000), payment(5_000.01)];
    expect(why(signer.authorize({ payment: middle, approvals: [] }))).toBe("NEEDS_APPROVALS");
    expect(why(signer.authorize({ payment: middle, approvals: [await agree(one, middle)] }))).toBe("operators");
    const once = await agree(one, large);
    expect(why(signer.authorize({ payment: large, approvals: [once] }))).toBe("NEEDS_APPROVALS");
    expect(why(signer.authorize({ payment: large, approvals: [once, await agree(one, large)] }))).toBe(
      "NEEDS_APPROVALS",
    );
    expect(why(signer.authorize({ payment: large, approvals: [once, await agree(two, large)] }))).toBe("operators");
  });

  it("count only for the exact payment that was signed, by an enrolled key", async () => {
    const [one] = await enrolTwo();
    const asked = payment(900);
    for (const change of [
      { to: OTHER },
      { amount: usdt(901) },
      { id: "wdr_else" },
      { expiry: (NOW + 5n) as Instant },
    ]) {
      const approvals = [await agree(one, { ...asked, ...change })];
      expect(why(signer.authorize({ payment: asked, approvals }))).toBe("NEEDS_APPROVALS");
    }
    const stranger = { ...(await newKey()), keyId: one.keyId };
    expect(why(signer.authorize({ payment: asked, approvals: [await agree(stranger, asked)] }))).toBe(
      "NEEDS_APPROVALS",
    );
  });

  it("come from keys that a colleague signed for; only a sandbox's first key is trusted without", async () => {
    const [one] = await enrolTwo();
    const third = await newKey();
    const enrol = async (operator: string, signed: { operator: string; publicKey: string }) =>
      signer.enrol({
        operator,
        publicKey: third.publicKey,
        approval: { keyId: one.keyId, signature: await one.sign(keyStatement(signed)) },
      });
    const { publicKey } = third;
    expect(why(signer.enrol({ operator: "opr_3", publicKey, approval: null }))).toBe("KEY");
    // Nobody can vouch for themselves, and a signature for one person isn't valid for another.
    expect(why(await enrol("opr_1", { operator: "opr_1", publicKey }))).toBe("KEY");
    expect(why(await enrol("opr_3", { operator: "opr_4", publicKey }))).toBe("KEY");
    expect((await enrol("opr_3", { operator: "opr_3", publicKey })).ok).toBe(true);
    expect(why(signer.enrol({ operator: "opr_9", publicKey, approval: null }))).toBe("KEY");
    expect(signer.state().alarms.at(-1)?.text).toContain("opr_9");
    reopen();
    expect(signer.state().keys.map(({ operator }) => operator)).toEqual(["opr_1", "opr_2", "opr_3"]);
  });

  it("no longer count once a key is revoked, even before signing, and the key cannot be enrolled again", async () => {
    const [one, two] = await enrolTwo();
    const [large, small] = [payment(5_000.01), payment(900)];
    const approvals = [await agree(one, large), await agree(two, large)];
    expect(why(signer.authorize({ payment: large, approvals }))).toBe("operators");
    expect(why(signer.revoke({ keyId: "0".repeat(64), by: "opr_2" }))).toBe("KEY");
    expect(why(signer.revoke({ keyId: one.keyId, by: "opr_2" }))).toBe("revoked");
    expect(why(signer.revoke({ keyId: one.keyId, by: "opr_2" }))).toBe("revoked");
    reopen();
    expect(signer.state().keys.map(({ operator }) => operator)).toEqual(["opr_2"]);
    expect(why(await signer.sign({ payment: large, nonce: 7, attempt: 1, ...fees }))).toBe("NEEDS_APPROVALS");
    expect(why(signer.authorize({ payment: large, approvals }))).toBe("NEEDS_APPROVALS");
    expect(why(signer.authorize({ payment: small, approvals: [await agree(one, small)] }))).toBe("NEEDS_APPROVALS");
    expect(why(signer.authorize({ payment: small, approvals: [await agree(two, small)] }))).toBe("operators");
    const third = await newKey();
    const vouch = async (operator: string, publicKey: string, by: Key) =>
      signer.enrol({
        operator,
        publicKey,
        approval: { keyId: by.keyId, signature: await by.sign(keyStatement({ operator, publicKey })) },
      });
    expect(why(await vouch("opr_3", third.publicKey, one))).toBe("KEY");
    expect(why(await vouch("opr_1", one.publicKey, two))).toBe("KEY");
    expect(why(signer.revoke({ keyId: two.keyId, by: "opr_2" }))).toBe("KEY");
    expect((await vouch("opr_3", third.publicKey, two)).ok).toBe(true);
    expect(why(signer.revoke({ keyId: two.keyId, by: "opr_3" }))).toBe("revoked");
  });

  it("remain valid for payments that were signed before a revocation", async () => {
    const [one] = await enrolTwo();
    const asked = payment(900);
    expect(why(signer.authorize({ payment: asked, approvals: [await agree(one, asked)] }))).toBe("operators");
    const first = await signer.sign({ payment: asked, nonce: 7, attempt: 1, ...fees });
    signer.revoke({ keyId: one.keyId, by: "opr_2" });
    expect(await signer.sign({ payment: asked, nonce: 7, attempt: 1, ...fees })).toEqual(first);
  });

  it("do not come from an unvouched first key in a live deployment", async () => {
    close();
    open(RULES.replace('"trustFirstKey":true', '"trustFirstKey":false'));
    const { publicKey } = await newKey();
    expect(why(signer.enrol({ operator: "opr_1", publicKey, approval: null }))).toBe("KEY");
  });
});

describe("between authorization and signing", () => {
  const ask = (asked: Payment) => signer.sign({ payment: asked, nonce: 7, attempt: 1, ...fees });

  it("a payment can lose its approvals and is then not signed", async () => {
    const asked = payment(20);
    expect(why(signer.authorize({ payment: asked, approvals: [] }))).toBe("automatic");
    now = asked.expiry;
    expect(why(await ask(asked))).toBe("EXPIRED");
  });

  it("other payments can use up the daily limit, which is checked again at signing", async () => {
    const [one, two] = await enrolTwo();
    const until = { expiry: (NOW + 4n * 86_400_000n) as Instant };
    const agreed = async (asked: Payment) =>
      why(signer.authorize({ payment: asked, approvals: [await agree(one, asked), await agree(two, asked)] }));
    const [early, late] = [payment(40_000, until), payment(30_000, until)];
    expect(await agreed(early)).toBe("operators");
    now = (NOW + 86_400_001n) as Instant;
    expect(await agreed(late)).toBe("operators");
    expect(why(await ask(early))).toBe("DAY_LIMIT");
    // A payment signed a day after its authorization counts from when it was signed.
    now = (NOW + 2n * 86_400_002n) as Instant;
    expect((await ask(early)).ok).toBe(true);
    expect(await agreed(payment(30_000, until))).toBe("DAY_LIMIT");
    // A signed payment may be public already, so further attempts are allowed.
    now = (NOW + 5n * 86_400_000n) as Instant;
    const dearer = { maxFee: 3n * GWEI, priorityFee: 2n * GWEI };
    expect((await signer.sign({ payment: early, nonce: 7, attempt: 2, ...dearer })).ok).toBe(true);
  });

  it("a payment can be retracted permanently, and then only the same payment can be authorized again", async () => {
    const asked = payment(400);
    signer.authorize({ payment: asked, approvals: [] });
    const before = signer.state();
    expect(why(signer.retract({ payment: asked }))).toBe("retracted");
    expect(why(signer.retract({ payment: asked }))).toBe("retracted");
    reopen();
    expect(BigInt(before.spentToday) - BigInt(signer.state().spentToday)).toBe(usdt(400));
    expect(why(await ask(asked))).toBe("NOT_AUTHORIZED");
    expect(signer.state().alarms).toEqual([]);
    expect(why(signer.authorize({ payment: { ...asked, to: OTHER }, approvals: [] }))).toBe("OTHER_PAYMENT");
    expect(why(signer.authorize({ payment: asked, approvals: [] }))).toBe("automatic");
    expect((await ask(asked)).ok).toBe(true);
    expect(why(signer.retract({ payment: asked }))).toBe("SIGNED");
    expect((await ask(asked)).ok).toBe(true);
  });
});

describe("a withdrawal that ended", () => {
  it("is never authorized again, with the same signatures or new ones, and leaves the daily limits", async () => {
    const [one, two] = await enrolTwo();
    const asked = payment(6_000);
    const approvals = [await agree(one, asked), await agree(two, asked)];
    expect(why(signer.authorize({ payment: asked, approvals }))).toBe("operators");
    expect(why(signer.retract({ payment: asked, final: true }))).toBe("retracted");
    expect(why(signer.retract({ payment: asked, final: true }))).toBe("retracted");
    reopen();
    expect(signer.state().spentToday).toBe("0");
    expect(why(signer.authorize({ payment: asked, approvals }))).toBe("ENDED");
    const later = { ...asked, expiry: (asked.expiry + 1n) as Instant };
    const again = [await agree(one, later), await agree(two, later)];
    expect(why(signer.authorize({ payment: later, approvals: again }))).toBe("ENDED");
    // A retraction that isn't final doesn't change that.
    expect(why(signer.retract({ payment: asked, final: false }))).toBe("retracted");
    expect(why(signer.authorize({ payment: asked, approvals }))).toBe("ENDED");
    expect(why(await signer.sign({ payment: asked, nonce: 7, attempt: 1, ...fees }))).toBe("NOT_AUTHORIZED");
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8").match(/"final":true/g)).toHaveLength(1);
  });

  it("is refused even if the signer had not heard of it before", async () => {
    const [one, two] = await enrolTwo();
    const asked = payment(6_000);
    const approvals = [await agree(one, asked), await agree(two, asked)];
    expect(why(signer.retract({ payment: asked, final: true }))).toBe("retracted");
    reopen();
    expect(why(signer.authorize({ payment: asked, approvals }))).toBe("ENDED");
  });

  it("can't end that way once it was signed", async () => {
    const asked = payment(400);
    signer.authorize({ payment: asked, approvals: [] });
    await signer.sign({ payment: asked, nonce: 7, attempt: 1, ...fees });
    expect(why(signer.retract({ payment: asked, final: true }))).toBe("SIGNED");
  });
});

describe("the journal on a full disk", () => {
  it("writes a line completely or not at all, and continues once there is room", () => {
    close();
    let room = 10;
    const journal = openJournal(folder, (file, bytes) => {
      if (room === 0) throw new Error("ENOSPC");
      const written = writeSync(file, bytes.subarray(0, room));
      room = Math.max(0, room - written);
      return written;
    });
    const note = (text: string) => ({ t: "alarm", at: 1, text }) as const;
    expect(() => journal.append(note("does not fit"))).toThrow("ENOSPC");
    expect(journal.entries).toEqual([]);
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8")).toBe("");
    room = 5_000;
    journal.append(note("fits"));
    journal.close();
    open();
    expect(signer.state().alarms).toEqual([{ at: 1, text: "fits" }]);
  });

  it("completes a short write", () => {
    close();
    const journal = openJournal(folder, (file, bytes) => writeSync(file, bytes.subarray(0, 7)));
    journal.append({ t: "alarm", at: 1, text: "in pieces" });
    journal.append({ t: "alarm", at: 2, text: "as well" });
    journal.close();
    open();
    expect(signer.state().alarms.map(({ text }) => text)).toEqual(["in pieces", "as well"]);
  });
});

describe("signed bytes", () => {
  it("are a token transfer of exactly that payment, signed with the seed's key", async () => {
    const asked = payment(299);
    signer.authorize({ payment: asked, approvals: [] });
    const answer = await signer.sign({ payment: asked, nonce: 7, attempt: 1, ...fees });
    if (!answer.ok) throw new Error(answer.detail);
    const raw = answer.value.raw as `0x02${string}`;
    const read = parseTransaction(raw);
    expect(read).toMatchObject({ chainId: 31_337, nonce: 7, to: TOKEN, maxFeePerGas: 2n * GWEI });
    expect(read.value ?? 0n).toBe(0n);
    expect(decodeFunctionData({ abi: erc20Abi, data: read.data! })).toEqual({
      functionName: "transfer",
      args: [asked.to, 299_000_000n],
    });
    expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(
      signer.state().address,
    );
  });

  it("are the same for the same id and digest, whatever else is requested, even after a restart", async () => {
    const asked = payment(20);
    signer.authorize({ payment: asked, approvals: [] });
    const first = await signer.sign({ payment: asked, nonce: 0, attempt: 1, ...fees });
    reopen();
    expect(await signer.sign({ payment: asked, nonce: 0, attempt: 1, maxFee: 9n * GWEI, priorityFee: 9n })).toEqual(
      first,
    );
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8").match(/"t":"signed"/g)).toHaveLength(1);
  });

  it("have separate nonces for each chain and wallet", async () => {
    const twin = JSON.stringify({
      ...(JSON.parse(RULES) as object),
      // A chain that split off has the same genesis block.
      chains: [31_337, 31_338].map((chain) => ({ chain: String(chain), genesis: GENESIS, token: TOKEN })),
    });
    close();
    open(twin);
    const [here, there, later, again] = [payment(5), payment(6, { chain: 31_338n }), payment(7), payment(8)];
    const ask = (asked: Payment, nonce: number, attempt = 1) =>
      signer.sign({
        payment: asked,
        nonce,
        attempt,
        maxFee: 2n * BigInt(attempt) * GWEI,
        priorityFee: BigInt(attempt) * GWEI,
      });
    for (const asked of [here, there, later, again]) signer.authorize({ payment: asked, approvals: [] });
    expect((await ask(here, 4)).ok).toBe(true);
    expect((await ask(there, 4)).ok).toBe(true);
    expect(why(await ask(later, 4))).toBe("OTHER_NONCE");
    // From here on another wallet pays, which has no entries in the journal.
    close();
    writeFileSync(
      join(folder, "mnemonic"),
      "legal winner thank year wave sausage worth useful legal winner thank yellow",
    );
    open(twin);
    // A payment that the first wallet has signed isn't paid by the second one as well.
    expect(why(await ask(here, 4, 2))).toBe("OTHER_NONCE");
    expect((await ask(later, 4)).ok).toBe(true);
    expect(why(await ask(again, 4))).toBe("OTHER_NONCE");
  });

  it("are refused with an alarm for another digest, another nonce, or another payment's nonce", async () => {
    const [asked, next] = [payment(20), payment(21)];
    for (const one of [asked, next]) signer.authorize({ payment: one, approvals: [] });
    await signer.sign({ payment: asked, nonce: 0, attempt: 1, ...fees });
    const other = { ...asked, to: OTHER };
    expect(why(signer.authorize({ payment: other, approvals: [] }))).toBe("OTHER_PAYMENT");
    expect(why(await signer.sign({ payment: other, nonce: 0, attempt: 1, ...fees }))).toBe("OTHER_PAYMENT");
    expect(why(await signer.sign({ payment: asked, nonce: 1, attempt: 1, ...fees }))).toBe("OTHER_NONCE");
    expect(why(await signer.sign({ payment: asked, nonce: 1, attempt: 2, ...fees }))).toBe("OTHER_NONCE");
    expect(why(await signer.sign({ payment: next, nonce: 0, attempt: 1, ...fees }))).toBe("OTHER_NONCE");
    expect(why(await signer.sign({ payment: payment(5), nonce: 1, attempt: 1, ...fees }))).toBe("NOT_AUTHORIZED");
    // Once it is signed, not even the same payment with a later expiry is accepted.
    const renewed = { ...asked, expiry: (asked.expiry + 1n) as Instant };
    expect(why(signer.authorize({ payment: renewed, approvals: [] }))).toBe("OTHER_PAYMENT");
    expect(signer.state().alarms.length).toBeGreaterThanOrEqual(5);
  });

  it("pay an eighth more with each attempt, up to a limit", async () => {
    const asked = payment(20);
    signer.authorize({ payment: asked, approvals: [] });
    await signer.sign({ payment: asked, nonce: 0, attempt: 1, ...fees });
    const attempt = (number: number, maxFee: bigint, priorityFee: bigint) =>
      signer.sign({ payment: asked, nonce: 0, attempt: number, maxFee, priorityFee });
    expect(why(await attempt(3, 9n * GWEI, 9n * GWEI))).toBe("FEE");
    expect(why(await attempt(2, 2_249_999_999n, 2n * GWEI))).toBe("FEE");
    expect(why(await attempt(2, 2_250_000_000n, 1_124_999_999n))).toBe("FEE");
    expect(why(await attempt(2, 501n * GWEI, 2n * GWEI))).toBe("FEE");
    const second = await attempt(2, 2_250_000_000n, 1_125_000_000n);
    expect(second.ok && parseTransaction(second.value.raw as `0x02${string}`).nonce).toBe(0);
  });

  it("allow the same payment to be authorized again with a later expiry until they exist", () => {
    const asked = payment(20);
    signer.authorize({ payment: asked, approvals: [] });
    const later = { ...asked, expiry: (asked.expiry + 1n) as Instant };
    expect(why(signer.authorize({ payment: later, approvals: [] }))).toBe("automatic");
    expect(why(signer.authorize({ payment: { ...later, amount: 1n }, approvals: [] }))).toBe("OTHER_PAYMENT");
  });
});

describe("the journal", () => {
  it("drops an incomplete last line and nothing else, and refuses a changed line", () => {
    const asked = payment(500);
    signer.authorize({ payment: asked, approvals: [] });
    close();
    appendFileSync(join(folder, "journal.jsonl"), '{"t":"signed","at":1');
    open();
    expect(signer.state().automaticToday).toBe(String(usdt(500)));
    signer.authorize({ payment: payment(100), approvals: [] });
    reopen();
    expect(signer.state().automaticToday).toBe(String(usdt(600)));
    close();
    const file = join(folder, "journal.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"authorized"', '"forgotten"'));
    expect(() => openJournal(folder)).toThrow("line 1");
    writeFileSync(file, text);
    open();
  });

  it("is locked by one process at a time, and a killed process's lock is taken over", () => {
    const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 20000)", "signer"]);
    close();
    writeFileSync(join(folder, "signer.pid"), String(other.pid));
    expect(() => openJournal(folder)).toThrow(`process ${other.pid}`);
    other.kill("SIGKILL");
    writeFileSync(join(folder, "signer.pid"), "999999999");
    open();
    expect(readFileSync(join(folder, "signer.pid"), "utf8")).toBe(String(process.pid));
  });
});

describe("the signer's door", () => {
  it("answers only callers who know the secret", async () => {
    close();
    const secret = "s".repeat(32);
    const running = await startSigner({ port: 0, secret, folder, rules: parseRules(RULES) }, { now: () => now });
    const post = (path: string, authorization: string, body = "{}") =>
      fetch(`${running.url}${path}`, { method: "POST", headers: { authorization }, body });
    expect((await post("/state", `Bearer ${secret}`)).status).toBe(200);
    expect((await post("/state", "Bearer wrong")).status).toBe(401);
    expect((await post("/state", "")).status).toBe(401);
    expect((await post("/mnemonic", `Bearer ${secret}`)).status).toBe(404);
    expect((await post("/sign", `Bearer ${secret}`, '{"payment":1}')).status).toBe(400);
    expect((await post("/sign", `Bearer ${secret}`, "x".repeat(70_000))).status).toBe(413);
    const headers = { host: "rebound.example", authorization: `Bearer ${secret}` };
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${running.url}/state`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on("error", reject).end("{}");
    });
    expect(rebound).toBe(421);
    const many = Array.from({ length: 80 }, () => {
      const socket = connect(Number(new URL(running.url).port), "127.0.0.1");
      return new Promise<Socket>((resolve) => socket.on("error", () => undefined).once("close", () => resolve(socket)));
    });
    expect((await Promise.race(many)).destroyed).toBe(true);
    await running.close();
    open();
  });
});
