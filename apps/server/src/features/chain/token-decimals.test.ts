import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseRules, refuseOtherDecimals as refuseAtSigner } from "@fairtick/signer";
import { callNode, deployEighteen } from "@fairtick/test-chain";
import { startTronNode, TRON_OTHER_TOKEN, type TronNode } from "@fairtick/test-chain/tron";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError } from "../../platform/config.ts";
import { formatChainAddress } from "../../platform/chain-text.ts";
import { ChainAlarm } from "./chain-alarm.ts";
import { type ChainWorld, createChainWorld } from "./test-world.ts";
import { tronSettings } from "./test-settings.ts";
import { refuseOtherDecimals } from "./token-decimals.ts";
import { newMemory, watchRound } from "./watch-round.ts";

const NOBODY = `0x${"9".repeat(40)}`;
/** An address at which nothing listens. */
const AWAY = "http://127.0.0.1:1/";

let world: ChainWorld;
let tron: TronNode;
let eighteen: string;
let genesis: string;
beforeAll(async () => {
  world = await createChainWorld();
  tron = await startTronNode({ solidifiedBehind: 3 });
  eighteen = await deployEighteen(world.anvil.url);
  await world.mine();
  genesis = ((await callNode(world.anvil.url, "eth_getBlockByNumber", ["0x0", false])) as { hash: string }).hash;
});
afterAll(async () => {
  await tron.stop();
  await world.close();
});

describe("a token of 18 decimals", () => {
  it("is read by no watcher, so that none of it is credited", async () => {
    const parts = { ...world.parts, settings: { ...world.settings, token: eighteen } };
    const { memberId, address } = await world.member();
    // This is 0.0005 tokens, but would be 500,000,000 if the units were taken as millionths.
    await world.send(address, 5n * 10n ** 14n, eighteen);
    await world.mine(3);
    await expect(watchRound(parts, newMemory())).rejects.toThrow(ChainAlarm);
    expect(await world.depositsOf(memberId)).toEqual([]);
    // The same holds if the chain was read before the decimals were checked.
    const { rows } = await world.build.client.query("SELECT * FROM chain_instances");
    expect(rows).toEqual([]);
    await world.build.client.query(
      `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, looked_height, read_at)
       VALUES ('test', 31337, $1, $2, 0, $1, 0, 0, 0)`,
      [genesis, eighteen],
    );
    await expect(watchRound(parts, newMemory())).rejects.toThrow("has 18 decimals");
    expect(await world.depositsOf(memberId)).toEqual([]);
    expect(await world.realOf(memberId)).toBe(0n);
  });

  it("keeps the server from starting, with advice", async () => {
    const refused = refuseOtherDecimals([{ ...world.settings, token: eighteen }], world.context.log);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(
      /has 18 decimals.*Name a token with six decimals as "token" of "test" in CHAINS/,
    );
    const onTron = tronSettings(tron.url, { token: TRON_OTHER_TOKEN });
    await expect(refuseOtherDecimals([onTron], world.context.log)).rejects.toThrow("has 18 decimals");
  });

  it("keeps the signer from starting, since a node's answer takes precedence over the settings", async () => {
    const { code, said } = await startSignerProcess({
      chain: "31337",
      genesis,
      token: eighteen,
      nodes: [world.anvil.url],
    });
    expect(said).toContain(
      "has 18 decimals; payments are counted in six. Name a token with six, or take the chain out.",
    );
    expect(code).toBe(1);
    const written = rulesOf({ chain: "31337", genesis, token: eighteen, decimals: 6, nodes: [AWAY, world.anvil.url] });
    await expect(refuseAtSigner(written)).rejects.toThrow("has 18 decimals");
    await expect(refuseAtSigner(onTron(TRON_OTHER_TOKEN))).rejects.toThrow("has 18 decimals");
    expect(() => rulesOf({ chain: "1", genesis, token: eighteen, decimals: 18 })).toThrow("decimals can be 6 alone");
  });
});

describe("an address without a contract", () => {
  it("is not accepted as a token", async () => {
    const settings = { ...world.settings, token: NOBODY };
    await expect(refuseOtherDecimals([settings], world.context.log)).rejects.toThrow(
      `No token contract answers at ${NOBODY} on the chain "test".`,
    );
    const rules = rulesOf({ chain: "31337", genesis, token: NOBODY, nodes: [world.anvil.url] });
    await expect(refuseAtSigner(rules)).rejects.toThrow("is no token");
    await expect(refuseAtSigner(onTron(NOBODY))).rejects.toThrow("is no token");
  });
});

describe("a token of six decimals", () => {
  it("is accepted by both, on either kind of chain", async () => {
    const both = [world.settings, tronSettings(tron.url)];
    await expect(refuseOtherDecimals(both, world.context.log)).resolves.toBeUndefined();
    const rules = rulesOf({ chain: "31337", genesis, token: world.settings.token, nodes: [world.anvil.url] });
    await expect(refuseAtSigner(rules)).resolves.toBeUndefined();
    await expect(refuseAtSigner(onTron(tronSettings(tron.url).token))).resolves.toBeUndefined();
  });
});

describe("a node that does not answer", () => {
  it("doesn't keep the server from starting, only from reading that chain", async () => {
    const away = refuseOtherDecimals([{ ...world.settings, url: AWAY }], world.context.log);
    await expect(away).resolves.toBeUndefined();
  });

  it("requires the decimals in the signer's settings, as does a chain without a node", async () => {
    const { token } = world.settings;
    const chain = { chain: "31337", genesis, token };
    await expect(refuseAtSigner(rulesOf({ ...chain, nodes: [AWAY] }))).rejects.toThrow("no node answers");
    await expect(refuseAtSigner(rulesOf(chain))).rejects.toThrow(
      "nobody says how many decimals it has, since no node of yours is named. Write a node of yours beside it",
    );
    await refuseAtSigner(rulesOf({ ...chain, decimals: 6 }));
    await refuseAtSigner(rulesOf({ ...chain, decimals: 6, nodes: [AWAY] }));
  });
});

function rulesOf(chain: object) {
  return parseRules(JSON.stringify({ chains: [chain] }));
}

function onTron(token: string) {
  return rulesOf({
    kind: "tron",
    chain: String(tron.chainId),
    genesis: tron.genesis,
    token: formatChainAddress("tron", token),
    nodes: [tron.url],
  });
}

/** Starts the signer's process and waits until it exits. */
function startSignerProcess(chain: object): Promise<{ readonly code: number; readonly said: string }> {
  const folder = mkdtempSync(join(tmpdir(), "signer-decimals-"));
  writeFileSync(
    join(folder, "mnemonic"),
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
  );
  const main = join(dirname(createRequire(import.meta.url).resolve("@fairtick/signer")), "main.ts");
  const env = {
    SIGNER_SECRET: "0123456789abcdef0123456789abcdef",
    SIGNER_FOLDER: folder,
    SIGNER_RULES: JSON.stringify({ chains: [chain] }),
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main], { env, timeout: 60_000 }, (_error, _out, said) => {
      rmSync(folder, { recursive: true });
      resolve({ code: child.exitCode ?? -1, said });
    });
  });
}
