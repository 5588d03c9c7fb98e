import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  createIdSource,
  formatExactMoney,
  formatId,
  type MemberId,
  RATE_ONE,
  tokenCredit,
  tokenDepositMovement,
  type Wallet,
} from "@fairtick/domain";
import { mayCall, OPERATOR_CALLS, type OperatorPath } from "@fairtick/protocol/operator";
import type { MemberCall } from "@fairtick/protocol";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataExportRoutes } from "../data-export/index.ts";
import { openFairness } from "../fairness/index.ts";
import { checkInvariants, eachFundRecord, ledgerRoutes, readSummaries, writeTransfer } from "./index.ts";
import { publishLiabilities, readLiabilityPath } from "../liabilities/index.ts";
import type { Placing } from "../orders/index.ts";
import { usd } from "../orders/test-world.ts";
import { hashPassword } from "../sessions/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { type CallRequest, FileAnswer, type Route } from "../../platform/http/index.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

/** 12.345678 USDT: the member gets 12.35, and the house's capital bears 0.004322. */
const UNITS = 12_345_678n;

const PASSWORD = "granite-willow-9063";

let world: ConsoleWorld;
let member: MemberId;
let auditor: string;
let capitalBefore: bigint;

const readCapital = async (): Promise<bigint> => {
  const { rows } = await world.builder.client.query(
    "SELECT balance::text FROM house_accounts WHERE wallet = 'real' AND account = 'capital'",
  );
  return BigInt(rows[0].balance);
};

beforeAll(async () => {
  world = await createConsoleWorld();
  auditor = await world.logIn("auditor-1");
  member = (await world.builder.createMember({ real: usd(100) })) as MemberId;
  await world.context.databases.sessions.query("UPDATE members SET password_hash = $2 WHERE member_id = $1", [
    member,
    await hashPassword(PASSWORD),
  ]);
  await putDeposit();
  capitalBefore = await readCapital();
  await world.context.databases.money.transaction((transaction) =>
    writeTransfer(transaction, {
      transferId: 9_001n,
      wallet: "real",
      movement: tokenDepositMovement(tokenCredit(UNITS, RATE_ONE)),
      idempotencyKey: "deposit:chain:sub-cent",
      remark: "deposit",
      member: { memberId: member },
    }),
  );
});
afterAll(() => world.close());

/** Inserts the waiting deposit that the member reported, with the exact units. The transfer below credits them rounded. */
async function putDeposit(): Promise<void> {
  await world.builder.client.query(
    `WITH claimed AS (
       INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at)
       VALUES (9000, $1, 'crypto', 'claimed', $2, 1, 1) RETURNING deposit_id)
     INSERT INTO chain_claims (deposit_id, chain, quantity, tx_hash) SELECT deposit_id, 'test', $3, $4 FROM claimed`,
    [member, tokenCredit(UNITS, RATE_ONE).credited, UNITS, `0x${"c1".repeat(32)}`],
  );
}

async function call(path: string, input: object = {}, cookie = auditor): Promise<unknown> {
  const answer = await world.call(path, input, cookie);
  expect([path, answer.status, answer.status === 200 ? null : answer.body]).toEqual([path, 200, null]);
  return answer.body.data;
}

/** Calls a member's route that answers a file, and returns the file's bytes. */
async function download(routes: readonly Route[], path: string, input: object): Promise<Buffer> {
  const route = routes.find((each) => each.call.path === path);
  const session = { sessionId: 1n, memberId: member };
  const request = { input, session, lang: "en", now: systemClock.now() };
  const answer: unknown = await route?.handler(request as unknown as CallRequest<MemberCall>);
  if (!(answer instanceof FileAnswer)) throw new Error(`${path} did not answer a file`);
  return buffer(answer.body as Readable);
}

describe("a deposit that is not whole cents", () => {
  it("leaves a part of a cent with the house, and the books balance", async () => {
    expect((await readCapital()) - capitalBefore).toBe(-4_322n);
    const broken = await checkInvariants(world.context, 0n);
    // I9 reports that no transfer on a chain belongs to this deposit. Nothing else may be reported.
    expect(broken.map(({ invariant }) => invariant)).toEqual(["I9"]);
  });

  it("is in the exposure report with every micro-USD", async () => {
    const reports = (await call("report/exposure")) as { wallet: Wallet; capital: string; owed: string }[];
    const real = reports.find(({ wallet }) => wallet === "real");
    expect(real).toMatchObject({ capital: formatExactMoney((await readCapital()) as never), owed: "112.35" });
    expect(real?.capital).toMatch(/\.\d{6}$/);
  });

  it("breaks no report, list or export of the console", async () => {
    const published = await publishLiabilities(world.context, systemClock.now());
    expect(published).toBe(true);
    const memberId = formatId("member", member);
    const inputs: Readonly<Record<string, object>> = {
      "case/list": { queue: "withdrawals" },
      "member/list": { search: memberId },
      "member/detail": { memberId },
      "member/ledger": { memberId, wallet: "real" },
      "member/orders": { memberId, wallet: "real", state: "settled" },
    };
    const isRead = (path: string) =>
      /^report\/|\/(?:list|export|walletState)$/.test(path) || Object.hasOwn(inputs, path);
    const paths = OPERATOR_CALLS.map(({ path }) => path as OperatorPath).filter(
      (path) => isRead(path) && mayCall(path, ["auditor"]),
    );
    expect(paths.filter((path) => path.startsWith("report/"))).toHaveLength(5);
    expect(paths).toEqual(expect.arrayContaining([...Object.keys(inputs), "capital/list", "audit/export"]));
    for (const path of paths) await call(path, inputs[path]);
  });

  it("is in the files that its owner can download: records and data export", async () => {
    const context = { ...world.context, clock: systemClock, ids: createIdSource({ node: 5, clock: systemClock }) };
    const records = await download(ledgerRoutes(context), "fund/export", { wallet: "real", kind: "all" });
    expect(records.toString("utf8")).toMatch(/,Deposit,12\.35,112\.35,/);
    const claims = await download(ledgerRoutes(context), "fund/export", { wallet: "real", kind: "deposit" });
    expect(claims.toString("utf8")).toMatch(/,Deposit,12\.35,/);
    const placing = { databases: context.databases, configs: world.configs, bus: context.bus } as Placing;
    const archive = unzipSync(
      await download(dataExportRoutes(context, placing), "user/exportData", { loginPassword: PASSWORD }),
    );
    expect(strFromU8(archive["deposits.csv"]!)).toContain(`,${UNITS},0x`);
    expect(strFromU8(archive["fund-records.csv"]!)).toContain("12.35");
    expect(strFromU8(archive["wallets.csv"]!)).toContain("real,112.35,");
  });

  it("breaks no capital proposal, which also shows the pool", async () => {
    const finance = await world.logIn("finance-1");
    const made = await call("capital/propose", { wallet: "real", amount: "10.00", reason: "Topping up" }, finance);
    expect(made).toMatchObject({ amount: "10.00", poolNow: "1000000.00" });
  });

  it("breaks no member's records, summary, public figures or proof of what is owed", async () => {
    const records = [];
    for await (const record of eachFundRecord(world.context, member, { wallet: "real", kind: "all" })) {
      records.push(record);
    }
    expect(records[0]).toMatchObject({ type: "deposit", amount: "12.35", balanceAfter: "112.35" });
    const now = systemClock.now();
    expect(await readSummaries(world.context, member, now, ["real"])).toMatchObject([{ available: "112.35" }]);
    const fairness = await openFairness({ ...world.context, clock: systemClock }).read();
    expect(fairness).toMatchObject({ liabilities: { sum: "112.35" }, reserves: { house: "1000000.00" } });
    const parts = { databases: world.context.databases, files: { read: async () => null } };
    const day = new Date(Number(now)).toISOString().slice(0, 10);
    expect(await readLiabilityPath(parts, member, day)).toMatchObject({ value: { leaf: { amount: "112.35" } } });
  });
});
