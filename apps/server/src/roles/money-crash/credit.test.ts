import { randomBytes } from "node:crypto";
import { formatId, formatPrefixedId, type MemberId, type MicroUsd } from "@fairtick/domain";
import { callNode, callNodeForText } from "@fairtick/test-chain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedReceivingCards } from "../../features/deposits/index.ts";
import { formatCardId } from "../../features/deposits/receiving-cards.ts";
import { rescan } from "../../features/chain/rescan.ts";
import type { Approver } from "../../features/payouts/test-world.ts";
import { type Case, type CrashWorld, createCrashWorld } from "./crash-world.ts";

const REMITTED = 100_000_000n as MicroUsd;

let world: CrashWorld;
let one: Approver;
let two: Approver;
beforeAll(async () => {
  world = await createCrashWorld();
  await seedReceivingCards(world.context);
  one = await world.newApprover();
  two = await world.newApprover(one);
});
afterAll(() => world.close());

const count = async (text: string, values: readonly unknown[] = []) => (await world.sql(text, values)).length;
const watch = { act: "watch", told: {} } as const;
const stages = async (memberId: bigint) => (await world.chain.depositsOf(memberId)).map(({ stage }) => stage);
const steps = async (depositId: bigint) =>
  (
    await world.sql<{ stage: string }>("SELECT stage FROM deposit_steps WHERE deposit_id = $1 ORDER BY step", [
      depositId,
    ])
  ).map(({ stage }) => stage);
const creditsOf = (memberId: bigint) =>
  count("SELECT 1 FROM transfers WHERE member_id = $1 AND kind = 'deposit'", [memberId]);

describe("a watcher", () => {
  it.each([
    "chain.read",
    "chain.stored",
    "chain.moved",
    "chain.verified",
    "chain.booked",
    "chain.finished",
    "chain.credited",
  ])("killed at %s twice leaves each transfer credited exactly once", async (point) => {
    const { memberId, address } = await world.chain.member();
    await world.chain.sendMany([address, address], [11_000_000n, 12_000_000n]);
    await world.chain.mine(2);
    // If there is more to do, a second process passes the point again. Otherwise it runs to its end.
    expect(await world.kill(point, watch)).toBe("SIGKILL");
    await world.attempt(`${point}:2`, watch);
    expect(await world.again(watch)).toBe("done");
    expect(await world.chain.realOf(memberId)).toBe(23_000_000n);
    expect(await stages(memberId)).toEqual(["credited", "credited"]);
    expect(await creditsOf(memberId)).toBe(2);
    expect(await world.messages(memberId)).toEqual(["depositCredited", "depositCredited"]);
    await world.chain.checkBooks();
  });

  it.each(["chain.read", "chain.stored", "chain.moved"])(
    "killed at %s stores a transfer of another token once",
    async (point) => {
      const { memberId, address } = await world.chain.member();
      await world.chain.send(address, 40_000_000n, world.chain.tokens.standard);
      await world.chain.mine(2);
      expect(
        await world.dieAndGoOn(point, {
          ...watch,
          async check() {
            expect(await stages(memberId)).toEqual(["wrong_token"]);
            expect(await world.messages(memberId)).toEqual(["depositWrongToken"]);
            expect(await world.chain.realOf(memberId)).toBe(0n);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(["chain.verified", "chain.kept", "chain.credited"])(
    "killed at %s stores a transfer below the minimum once",
    async (point) => {
      const { memberId, address } = await world.chain.member();
      await world.chain.send(address, 4_000_000n);
      await world.chain.mine(2);
      expect(
        await world.dieAndGoOn(point, {
          ...watch,
          async check() {
            expect(await stages(memberId)).toEqual(["below_minimum"]);
            expect(await world.messages(memberId)).toEqual(["depositBelowMinimum"]);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(["chain.orphaned", "chain.stepped"])(
    "killed at %s undoes a reorganisation completely, and credits returning transfers once",
    async (point) => {
      const { memberId, address } = await world.chain.member();
      await world.chain.mine(2);
      const hash = await world.chain.send(address, 13_000_000n);
      await world.chain.mine();
      await world.again(watch);
      const { url } = world.chain.anvil;
      const raw = await callNodeForText(url, "eth_getRawTransactionByHash", [hash]);
      await world.chain.reorg(2, [[raw, 1]]);
      expect(await world.kill(point, watch)).toBe("SIGKILL");
      await world.chain.mine(2);
      await world.again(watch);
      expect(await world.chain.realOf(memberId)).toBe(13_000_000n);
      expect(await creditsOf(memberId)).toBe(1);
      await world.chain.checkBooks();
    },
  );

  it.each(["chain.losing", "chain.lost"])(
    "killed at %s after a credited deposit vanished freezes and opens an incident once",
    async (point) => {
      const { memberId, address } = await world.chain.member();
      await world.chain.mine(3);
      await world.chain.send(address, 14_000_000n);
      await world.chain.mine(2);
      await world.again(watch);
      expect(await stages(memberId)).toEqual(["credited"]);
      await world.chain.reorg(3);
      await world.chain.mine(3);
      expect(
        await world.dieAndGoOn(point, {
          ...watch,
          async check() {
            expect(await world.chain.realOf(memberId)).toBe(14_000_000n);
            const incident = "SELECT 1 FROM incidents WHERE kind = 'credited_reorg' AND member_id = $1";
            expect(await count(incident, [memberId])).toBe(1);
            expect(await count("SELECT 1 FROM withdrawal_freezes WHERE member_id = $1", [memberId])).toBe(1);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(["chain.found", "chain.looked"])("killed at %s reports once what a node kept back", async (point) => {
    const { memberId, address } = await world.chain.member();
    await world.chain.send(address, 15_000_000n);
    await world.chain.mine(2);
    const { parts } = world.chain;
    await world.chain.watch({ ...parts, node: { ...parts.node, logs: () => Promise.resolve([]) } });
    expect(await stages(memberId)).toEqual([]);
    expect(
      await world.dieAndGoOn(point, {
        act: "rescan",
        told: {},
        async check() {
          await world.again(watch);
          expect(await world.chain.realOf(memberId)).toBe(15_000_000n);
          const incident = "SELECT 1 FROM incidents WHERE kind = 'missed_transfer' AND member_id = $1";
          expect(await count(incident, [memberId])).toBe(1);
          expect(await rescan(parts)).toBe(false);
        },
      }),
    ).toBe("SIGKILL");
  });
});

const COMMIT = [
  ["console.audited", "done"],
  ["console.committed", "CONFLICT"],
] as const;

async function newMember() {
  return (await world.chain.build.createMember({ region: "BR" })) as MemberId;
}
async function newFile(memberId: bigint): Promise<string> {
  const fileId = world.context.ids.next();
  await world.sql(
    `INSERT INTO files (file_id, member_id, purpose, bytes, width, height, digest, made_at)
     VALUES ($1, $2, 'receipt', 10, 10, 10, $3, 1)`,
    [fileId, memberId, randomBytes(32)],
  );
  return formatPrefixedId("fil", fileId);
}
async function announced() {
  const memberId = await newMember();
  const told = { memberId, cardId: formatCardId(1n), amount: REMITTED, clientId: `announce-${memberId}` };
  expect(await world.again({ act: "announce", told })).toBe("done");
  const [row] = await world.sql<{ deposit_id: string; reference: string }>(
    "SELECT deposit_id, reference FROM bank_deposits JOIN deposits USING (deposit_id) WHERE member_id = $1",
    [memberId],
  );
  const depositId = BigInt(row!.deposit_id);
  return { memberId, depositId, reference: row!.reference, depositNo: formatPrefixedId("dep", depositId) };
}
let made = 0;
function statement(...remittances: readonly string[]): string {
  const entries = remittances.map((text) => {
    made += 1;
    return `<Ntry><Amt Ccy="EUR">92.15</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
      <AcctSvcrRef>B${made}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  });
  return `<Document><BkToCstmrStmt><GrpHdr><MsgId>M${made}</MsgId></GrpHdr><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
    ${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;
}
/** Imports a statement with the remittance's line, which an operator has matched or not. */
async function arrived(isMatched: boolean) {
  const deposit = await announced();
  const text = `nothing that is known ${deposit.depositId}`;
  await world.again({ act: "import", told: { session: world.sessionOf(one), xml: statement(text) } });
  const [line] = await world.sql<{ entry_id: string }>("SELECT entry_id FROM statement_entries WHERE remittance = $1", [
    text,
  ]);
  const entryId = formatPrefixedId("ent", BigInt(line!.entry_id));
  const match = {
    act: "match",
    told: { session: world.sessionOf(one), depositNo: deposit.depositNo, entryId },
  } as const;
  if (isMatched) await world.again(match);
  return { ...deposit, match };
}
async function isCreditedOnce(memberId: bigint, amount = REMITTED) {
  expect(await world.chain.realOf(memberId)).toBe(amount);
  expect(await creditsOf(memberId)).toBe(1);
  expect((await world.messages(memberId)).filter((key) => key === "depositCredited")).toHaveLength(1);
}

describe("a remittance", () => {
  it.each(["remittance.judged", "remittance.made"])("announced and killed at %s is stored once", async (point) => {
    const memberId = await newMember();
    const one: Case<"announce"> = {
      act: "announce",
      told: { memberId, cardId: formatCardId(1n), amount: REMITTED, clientId: `announce-${memberId}` },
      async check(again) {
        expect(again).toBe("done");
        expect(await count("SELECT 1 FROM deposits WHERE member_id = $1", [memberId])).toBe(1);
      },
    };
    expect(await world.dieAndGoOn(point, one)).toBe("SIGKILL");
  });

  it.each(["receipt.judged", "receipt.put"])("with a receipt killed at %s has it once", async (point) => {
    const { memberId, depositId, depositNo } = await announced();
    const fileId = await newFile(memberId);
    expect(
      await world.dieAndGoOn(point, {
        act: "receipt",
        told: { memberId, depositNo, fileId },
        async check(again) {
          expect(again).toBe("done");
          expect(await count("SELECT 1 FROM deposit_receipts WHERE deposit_id = $1", [depositId])).toBe(1);
          expect(await steps(depositId)).toEqual(["awaiting_transfer", "in_review"]);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each([
    ["statement.kept", "done"],
    ["console.audited", "done"],
    // The lines are stored from here on, and importing the same file again finishes the rest.
    ["console.committed", "done"],
    ["statement.settled", "done"],
    ["statement.credited", "done"],
    ["statement.settled:2", "done"],
    ["statement.credited:2", "CONFLICT"],
  ] as const)("found by a statement that is killed at %s is credited once", async (point, expected) => {
    const [first, second] = [await announced(), await announced()];
    const xml = statement(first.reference, second.reference);
    expect(
      await world.dieAndGoOn(point, {
        act: "import",
        told: { session: world.sessionOf(one), xml },
        async check(again) {
          expect(again).toBe(expected);
          for (const { memberId, depositId } of [first, second]) {
            await isCreditedOnce(memberId);
            expect(await steps(depositId)).toEqual(["awaiting_transfer", "credited"]);
          }
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each([
    "console.committed",
    "statement.settled",
    "statement.credited",
    "statement.settled:2",
    "statement.credited:2",
    "statement.ending",
    "statement.ended",
  ])(
    "found by a statement that is killed at %s is credited once at the next start, without an operator",
    async (point) => {
      const found = [await announced(), await announced()];
      const xml = statement(...found.map(({ reference }) => reference));
      const session = world.sessionOf(one);
      expect(await world.kill(point, { act: "import", told: { session, xml } })).toBe("SIGKILL");
      // The operator who imported the file has logged out since.
      await world.sql("UPDATE operator_sessions SET ended_at = 1 WHERE session_id = $1", [session.sessionId]);
      // The next start dies there too if something is left to do.
      await world.attempt("statement.credited", { act: "resume", told: {} });
      expect(await world.again({ act: "resume", told: {} })).toBe("done");
      await world.sql("UPDATE operator_sessions SET ended_at = NULL WHERE session_id = $1", [session.sessionId]);
      for (const { memberId, depositId } of found) {
        await isCreditedOnce(memberId);
        expect(await steps(depositId)).toEqual(["awaiting_transfer", "credited"]);
      }
      expect(await world.again({ act: "import", told: { session, xml } })).toBe("CONFLICT");
      expect(await world.sql("SELECT 1 FROM statement_takes WHERE done_at IS NULL")).toEqual([]);
      await world.chain.checkBooks();
    },
  );

  it("whose import was interrupted isn't continued for an operator who has left finance", async () => {
    const leaver = await world.newApprover(one);
    const session = world.sessionOf(leaver);
    const { memberId, reference } = await announced();
    const told = { session, xml: statement(reference) };
    expect(await world.kill("console.committed", { act: "import", told })).toBe("SIGKILL");
    await world.sql("DELETE FROM operator_roles WHERE operator_id = $1", [session.operatorId]);
    expect(await world.again({ act: "resume", told: {} })).toBe("done");
    expect(await world.chain.realOf(memberId)).toBe(0n);
    // Another operator imports the same file.
    expect(await world.again({ act: "import", told: { ...told, session: world.sessionOf(two) } })).toBe("done");
    await isCreditedOnce(memberId);
  });

  it.each([
    ["console.audited", "done"],
    ["console.committed", "done"],
  ])("matched and killed at %s has its line once", async (point, expected) => {
    const { depositId, match } = await arrived(false);
    expect(
      await world.dieAndGoOn(point, {
        ...match,
        async check(again) {
          expect(again).toBe(expected);
          const matched = "SELECT 1 FROM bank_deposits WHERE deposit_id = $1 AND matched_entry IS NOT NULL";
          expect(await count(matched, [depositId])).toBe(1);
          expect(await steps(depositId)).toEqual(["awaiting_transfer"]);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each([["bank.checked", "done"], ["bank.booked", "done"], ...COMMIT] as const)(
    "credited by an operator and killed at %s is credited once",
    async (point, expected) => {
      const { memberId, depositNo } = await arrived(true);
      expect(
        await world.dieAndGoOn(point, {
          act: "credit",
          told: { session: world.sessionOf(one), depositNo, amount: REMITTED },
          async check(again) {
            expect(again).toBe(expected);
            await isCreditedOnce(memberId);
            expect(await world.audited("deposit/credit", depositNo)).toBe(1);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(COMMIT)("rejected and killed at %s ends once", async (point, expected) => {
    const { memberId, depositId, depositNo } = await announced();
    expect(
      await world.dieAndGoOn(point, {
        act: "rejectDeposit",
        told: { session: world.sessionOf(one), depositNo, reason: "of somebody else" },
        async check(again) {
          expect(again).toBe(expected);
          expect(await steps(depositId)).toEqual(["awaiting_transfer", "rejected"]);
          expect(await world.messages(memberId)).toEqual(["depositFailed"]);
          expect(await world.audited("deposit/reject", depositNo)).toBe(1);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each(["remittance.expiring", "remittance.expired"])(
    "that was never paid, killed at %s, ends once",
    async (point) => {
      const { memberId, depositId } = await announced();
      await world.sql("UPDATE bank_deposits SET expires_at = 1 WHERE deposit_id = $1", [depositId]);
      expect(
        await world.dieAndGoOn(point, {
          act: "expire",
          told: {},
          async check() {
            expect(await steps(depositId)).toEqual(["awaiting_transfer", "expired"]);
            expect(await world.messages(memberId)).toEqual(["depositExpired"]);
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});

describe("a transfer below the minimum", () => {
  it.each([["bank.checked", "done"], ["bank.booked", "done"], ...COMMIT] as const)(
    "credited by an operator and killed at %s is credited once",
    async (point, expected) => {
      const { memberId, address } = await world.chain.member();
      await world.chain.send(address, 3_000_000n);
      await world.chain.mine(2);
      await world.again(watch);
      const [deposit] = await world.chain.depositsOf(memberId);
      const depositNo = formatPrefixedId("dep", BigInt(deposit!.deposit_id));
      expect(
        await world.dieAndGoOn(point, {
          act: "credit",
          told: { session: world.sessionOf(one), depositNo, amount: 3_000_000n as MicroUsd },
          async check(again) {
            expect(again).toBe(expected);
            await isCreditedOnce(memberId, 3_000_000n as MicroUsd);
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});

describe("a claim", () => {
  it.each(["claim.judged", "claim.made"])("killed at %s is stored once, and credits nothing", async (point) => {
    const { memberId } = await world.chain.member();
    const told = {
      memberId: memberId as MemberId,
      quantity: 20_000_000n as MicroUsd,
      fileId: await newFile(memberId),
      clientId: `claim-${memberId}`,
    };
    expect(
      await world.dieAndGoOn(point, {
        act: "claim",
        told,
        async check(again) {
          expect(again).toBe("done");
          expect(await count("SELECT 1 FROM deposits WHERE member_id = $1", [memberId])).toBe(1);
          expect(await creditsOf(memberId)).toBe(0);
        },
      }),
    ).toBe("SIGKILL");
  });
});

/** Returns the only proposal about a member, as the console shows it. */
async function proposalOf(memberId: bigint, kind: string): Promise<string> {
  const rows = await world.sql<{ proposal_id: string }>(
    "SELECT proposal_id FROM proposals WHERE member_id = $1 AND kind = $2",
    [memberId, kind],
  );
  expect(rows).toHaveLength(1);
  return formatPrefixedId("prp", BigInt(rows[0]!.proposal_id));
}

describe("a card payment", () => {
  const wish = (memberId: MemberId) =>
    ({
      act: "proposeCard",
      told: {
        session: world.sessionOf(one),
        memberId: formatId("member", memberId),
        amount: REMITTED,
        reference: `ACQ-${memberId}`,
        reason: "by card",
        clientId: `card-${memberId}`,
      },
    }) as const;
  async function proposed() {
    const memberId = await newMember();
    expect(await world.again(wish(memberId))).toBe("done");
    const proposalId = await proposalOf(memberId, "card_deposit");
    return { memberId, told: { session: world.sessionOf(two), proposalId, amount: REMITTED, reason: "seen" } };
  }

  it.each([
    ["console.audited", 0],
    ["console.committed", 1],
  ])("proposed and killed at %s is proposed completely or not at all", async (point, proposals) => {
    const memberId = await newMember();
    expect(await world.kill(point, wish(memberId))).toBe("SIGKILL");
    expect(await count("SELECT 1 FROM proposals WHERE member_id = $1", [memberId])).toBe(proposals);
    expect(await count("SELECT 1 FROM deposits WHERE member_id = $1", [memberId])).toBe(proposals);
    expect(await world.audited("deposit/proposeCard", formatId("member", memberId))).toBe(proposals);
    // The same request again returns the same proposal.
    expect(await world.again(wish(memberId))).toBe("done");
    expect(await count("SELECT 1 FROM proposals WHERE member_id = $1", [memberId])).toBe(1);
    expect(await count("SELECT 1 FROM deposits WHERE member_id = $1", [memberId])).toBe(1);
    await world.chain.checkBooks();
  });

  it.each([["card.decided", "done"], ["card.booked", "done"], ...COMMIT] as const)(
    "approved and killed at %s is credited once",
    async (point, expected) => {
      const { memberId, told } = await proposed();
      expect(
        await world.dieAndGoOn(point, {
          act: "approveCard",
          told,
          async check(again) {
            expect(again).toBe(expected);
            await isCreditedOnce(memberId);
            expect(await world.audited("deposit/approveCard", told.proposalId)).toBe(1);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(COMMIT)("rejected and killed at %s ends once", async (point, expected) => {
    const { memberId, told } = await proposed();
    expect(
      await world.dieAndGoOn(point, {
        act: "rejectCard",
        told,
        async check(again) {
          expect(again).toBe(expected);
          expect(await creditsOf(memberId)).toBe(0);
          expect(await world.messages(memberId)).toEqual(["depositFailed"]);
        },
      }),
    ).toBe("SIGKILL");
  });
});

describe("a reversal", () => {
  async function credited() {
    const deposit = await arrived(true);
    const { depositNo } = deposit;
    await world.again({ act: "credit", told: { session: world.sessionOf(one), depositNo, amount: REMITTED } });
    const wish = {
      act: "proposeReversal",
      told: { session: world.sessionOf(one), depositNo, reason: "recalled" },
    } as const;
    return { ...deposit, wish };
  }
  async function proposed() {
    const deposit = await credited();
    expect(await world.again(deposit.wish)).toBe("done");
    const proposalId = await proposalOf(deposit.memberId, "deposit_reversal");
    return { ...deposit, told: { session: world.sessionOf(two), proposalId, amount: REMITTED, reason: "seen" } };
  }
  const reversals = (memberId: bigint) =>
    count("SELECT 1 FROM deposits WHERE member_id = $1 AND stage = 'reversed'", [memberId]);

  it.each(COMMIT)("proposed and killed at %s is proposed once", async (point, expected) => {
    const { memberId, wish } = await credited();
    expect(
      await world.dieAndGoOn(point, {
        ...wish,
        async check(again) {
          expect(again).toBe(expected);
          await proposalOf(memberId, "deposit_reversal");
          expect(await world.chain.realOf(memberId)).toBe(REMITTED);
        },
      }),
    ).toBe("SIGKILL");
  });

  it.each([["reversal.checked", "done"], ["reversal.booked", "done"], ...COMMIT] as const)(
    "approved and killed at %s takes the money once",
    async (point, expected) => {
      const { memberId, told } = await proposed();
      expect(
        await world.dieAndGoOn(point, {
          act: "approveReversal",
          told,
          async check(again) {
            expect(again).toBe(expected);
            expect(await reversals(memberId)).toBe(1);
            expect(await world.chain.realOf(memberId)).toBe(0n);
            const [debt] = await world.sql("SELECT real_debt::text AS debt FROM members_money WHERE member_id = $1", [
              memberId,
            ]);
            expect(debt).toEqual({ debt: "0" });
            expect((await world.messages(memberId)).slice(-1)).toEqual(["depositReversed"]);
            expect((await world.messages(memberId)).filter((key) => key === "depositReversed")).toHaveLength(1);
          },
        }),
      ).toBe("SIGKILL");
    },
  );

  it.each(COMMIT)("rejected and killed at %s takes nothing", async (point, expected) => {
    const { memberId, told } = await proposed();
    expect(
      await world.dieAndGoOn(point, {
        act: "rejectReversal",
        told,
        async check(again) {
          expect(again).toBe(expected);
          expect(await reversals(memberId)).toBe(0);
          expect(await world.chain.realOf(memberId)).toBe(REMITTED);
        },
      }),
    ).toBe("SIGKILL");
  });
});

// These tests come last, because they wipe the chain that the others need.
describe("a chain that starts over", () => {
  it.each(["chain.opening", "chain.opened"])(
    "killed at %s has one instance at a time, and ends what was in progress once",
    async (point) => {
      const { memberId, address } = await world.chain.member();
      await world.chain.send(address, 17_000_000n);
      await world.chain.mine();
      await world.again(watch);
      expect(await stages(memberId)).toEqual(["confirming"]);
      await callNode(world.chain.anvil.url, "anvil_setChainId", [point === "chain.opening" ? 41 : 42]);
      expect(
        await world.dieAndGoOn(point, {
          ...watch,
          async check() {
            expect(await count("SELECT 1 FROM chain_instances WHERE ended_at IS NULL")).toBe(1);
            const [old] = await world.sql<{ deposit_id: string }>(
              "SELECT deposit_id FROM deposits WHERE member_id = $1 ORDER BY deposit_id",
              [memberId],
            );
            expect(await steps(BigInt(old!.deposit_id))).toEqual(["confirming", "rejected"]);
            // The node shows the first chain again, which is known and continues.
            await callNode(world.chain.anvil.url, "anvil_setChainId", [31_337]);
            expect(await world.again(watch)).toBe("done");
            expect(await count("SELECT 1 FROM chain_instances WHERE ended_at IS NULL AND evm_chain_id = 31337")).toBe(
              1,
            );
          },
        }),
      ).toBe("SIGKILL");
    },
  );
});
