import type { Instant } from "@fairtick/domain";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFunctionData, erc20Abi, parseTransaction, recoverTransactionAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal, type Journal } from "./journal.ts";
import { payoutAddress, readSeed, sweepKeys } from "./key.ts";
import type { SweepMessage } from "./messages.ts";
import { parseRules } from "./settings.ts";
import { openSweeper, type Sweeper } from "./sweep.ts";

const MNEMONIC = "test test test test test test test test test test test junk";
const GENESIS = `0x${"1".repeat(64)}`;
const TOKEN = `0x${"2".repeat(40)}`;
const RULES = JSON.stringify({
  // A chain that split off has the same genesis block.
  chains: ["31337", "31338"].map((chain) => ({ chain, genesis: GENESIS, token: TOKEN })),
  topUpDayMax: "30000000000000000",
});

let folder: string;
let journal: Journal;
let sweeper: Sweeper;
function open(): void {
  journal = openJournal(folder);
  sweeper = openSweeper({
    keys: sweepKeys(readSeed(folder)),
    payingWallet: payoutAddress(readSeed(folder)),
    journal,
    rules: parseRules(RULES),
    clock: { now: () => 1_795_271_400_000n as Instant },
  });
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sweeper-"));
  writeFileSync(join(folder, "mnemonic"), MNEMONIC);
  open();
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

const wish = (change: Partial<SweepMessage> = {}): SweepMessage => ({
  id: "swp_1",
  chain: 31_337n,
  genesis: GENESIS,
  token: TOKEN,
  step: "collect",
  child: 7,
  amount: 60_000_000n,
  nonce: 0,
  attempt: 1,
  maxFee: 1_000_000_000n,
  priorityFee: 1_000_000n,
  ...change,
});
const ask = async (change: Partial<SweepMessage> = {}) => {
  const answer = await sweeper.sign(wish(change));
  return answer.ok ? answer.value : answer.refusal;
};

describe("a sweep", () => {
  it("sends tokens from the deposit's own key to the paying wallet only", async () => {
    const signed = await ask();
    if (typeof signed === "string") throw new Error(signed);
    const raw = signed.raw as `0x02${string}`;
    const owner = mnemonicToAccount(MNEMONIC, { addressIndex: 7 });
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(owner.address);
    const { to, data, value, nonce } = parseTransaction(raw);
    expect([to, value ?? 0n, nonce ?? 0]).toEqual([TOKEN, 0n, 0]);
    const { args } = decodeFunctionData({ abi: erc20Abi, data: data ?? "0x" });
    expect([String(args?.[0]).toLowerCase(), args?.[1]]).toEqual([payoutAddress(readSeed(folder)), 60_000_000n]);
  });

  it("gets the same bytes again, even after a restart, and no others", async () => {
    const first = await ask();
    journal.close();
    open();
    expect(await ask()).toEqual(first);
    expect(await ask({ amount: 61_000_000n })).toBe("OTHER_PAYMENT");
    expect(await ask({ child: 8 })).toBe("OTHER_PAYMENT");
    expect(await ask({ nonce: 1 })).toBe("OTHER_NONCE");
    expect(await ask({ id: "swp_2" })).toBe("OTHER_NONCE");
    expect(await ask({ chain: 31_338n })).toBe("OTHER_PAYMENT");
    expect(await ask({ id: "swp_3", chain: 31_338n })).toHaveProperty("raw");
    expect(await ask({ id: "swp_4", child: 8 })).toHaveProperty("raw");
    expect(await ask({ attempt: 3 })).toBe("FEE");
    expect(await ask({ attempt: 2 })).toBe("FEE");
    expect(await ask({ attempt: 2, maxFee: 1_125_000_000n, priorityFee: 1_125_000n })).toHaveProperty("raw");
    expect(journal.entries.filter(({ t }) => t === "alarm")).toHaveLength(5);
  });

  it("sends coins for gas from a separate key, within its limits", async () => {
    const gas = await ask({ step: "gas", amount: 20_000_000_000_000_000n });
    if (typeof gas === "string") throw new Error(gas);
    const raw = gas.raw as `0x02${string}`;
    expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(sweeper.gasAddress);
    expect(sweeper.gasAddress).not.toBe(payoutAddress(readSeed(folder)));
    const more = { id: "swp_2", step: "gas", nonce: 1 } as const;
    expect(await ask({ ...more, amount: 20_000_000_000_000_001n })).toBe("PAYMENT_LIMIT");
    expect(await ask({ ...more, amount: 10_000_000_000_000_001n })).toBe("DAY_LIMIT");
    expect(await ask({ ...more, amount: 10_000_000_000_000_000n })).toHaveProperty("raw");
  });

  it.each([
    ["another token", { token: `0x${"3".repeat(40)}` }, "NOT_ALLOWED"],
    ["another chain", { chain: 1n }, "NOT_ALLOWED"],
    ["a fee that empties the wallet", { maxFee: 500_000_000_001n }, "FEE"],
    ["nothing", { amount: 0n }, "PAYMENT_LIMIT"],
  ])("is refused for %s", async (_what, change, refusal) => {
    expect(await ask(change)).toBe(refusal);
  });
});
