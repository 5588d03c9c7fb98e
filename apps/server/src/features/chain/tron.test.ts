import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRules, payoutAddress, readSeed, type RunningSigner, startSigner } from "@fairtick/signer";
import { depositXpub } from "@fairtick/test-chain";
import { COIN, startTronNode, TRON_TOKEN, type TronNode } from "@fairtick/test-chain/tron";
import { createTestDatabase, type TestDatabase, waitUntil } from "@fairtick/testkit";
import { TronWeb } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { type RunningServer, runServer } from "../../testing/running-server.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const HEADERS = { "TRON-PRO-API-KEY": "key-of-the-provider" };
const written = (address: string) => TronWeb.address.fromHex(`41${address.slice(2)}`);

let folder: string;
let node: TronNode;
let miner: NodeJS.Timeout;
let signer: RunningSigner;
let database: TestDatabase;
let server: RunningServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tron-"));
  writeFileSync(
    join(folder, "mnemonic"),
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
  );
  node = await startTronNode({ solidifiedBehind: 3, apiKey: HEADERS["TRON-PRO-API-KEY"] });
  miner = setInterval(() => node.chain.mine(), 250);
  node.chain.give(TRON_TOKEN, payoutAddress(readSeed(folder), "tron"), 1_000_000_000n);
  node.chain.give(COIN, payoutAddress(readSeed(folder), "tron"), 1_000_000_000n);
  const nodes = [{ url: node.url, headers: HEADERS }];
  const chain = { chain: String(node.chainId), genesis: node.genesis, token: written(TRON_TOKEN), nodes };
  const rules = parseRules(JSON.stringify({ chains: [{ kind: "tron", ...chain }] }));
  signer = await startSigner({ port: 0, secret: SECRET, folder, rules }, systemClock);
  const settings = {
    chain: "tron",
    kind: "tron",
    name: "TRON",
    url: `${node.url}/jsonrpc`,
    walletUrl: node.url,
    headers: HEADERS,
    witnessUrl: `${node.url}/jsonrpc`,
    witnessHeaders: HEADERS,
    token: written(TRON_TOKEN),
    genesis: node.genesis,
  };
  database = await createTestDatabase();
  server = await runServer(database, {
    CHAINS: JSON.stringify([settings]),
    DEPOSIT_TRON_XPUB: depositXpub(folder, "tron"),
    SIGNER_URL: signer.url,
    SIGNER_SECRET: SECRET,
    RATE_LIMIT_FACTOR: "1000",
  });
});
afterAll(async () => {
  await server.stop();
  clearInterval(miner);
  await signer.close();
  await node.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe("a house with TRON as its chain and a node that requires a key", () => {
  it("credits a stranger's transfer to the shown address and pays a withdrawal to another wallet, each once", async () => {
    let token = "";
    const call = async (path: string, fields: Record<string, string> = {}) => {
      const answer = await fetch(`${server.base}/client/${path}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...(token && { exchange2508Token: token }) },
        body: new URLSearchParams(fields).toString(),
      });
      const { code, data, msg } = (await answer.json()) as { code: number; data: never; msg: string };
      return { code, data: data as Record<string, never>, msg };
    };
    const [seed] = server.accounts;
    const login = await call("auth/login", { account: seed!.account, password: seed!.password });
    token = String(login.data["access_token"]);
    const real = async () => (await call("user/summary", { wallet: "real" })).data as Record<string, string>;
    const before = Number((await real())["available"]);

    await waitUntil("the chain is read", async () => (await call("deposit/methods")).data["crypto"]?.[0]);
    expect((await call("deposit/methods")).data).toMatchObject({ crypto: [{ chain: "tron", name: "TRON" }] });
    const shown = String((await call("deposit/address", { chain: "tron" })).data["address"]);
    expect(TronWeb.isAddress(shown)).toBe(true);
    await node.send(`0x${TronWeb.address.toHex(shown).slice(2)}`, 300_000_000n);
    await waitUntil("it is credited", async () => Number((await real())["available"]) === before + 300, 30_000);

    // This is the trade password of the first seeded account.
    const tradePassword = "246810";
    const wish = { chain: "tron", amount: "120", tradePassword, clientId: "to-another-wallet-on-tron" };
    const wrong = await call("withdraw/create", { ...wish, address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" });
    expect(wrong).toMatchObject({ code: 422, msg: "This wallet address belongs to another chain" });
    const to = `0x${"5e".repeat(20)}`;
    const asked = await call("withdraw/create", { ...wish, address: written(to) });
    expect(asked).toMatchObject({ code: 200, data: { address: written(to), receives: "119.00" } });
    const withdrawNo = String(asked.data["withdrawNo"]);
    const paid = await waitUntil(
      "it is paid",
      async () => {
        const { data } = await call("withdraw/detail", { withdrawNo });
        return String(data["state"]) === "withdrawn" && data;
      },
      30_000,
    );
    expect(node.chain.balance(TRON_TOKEN, to)).toBe(119_000_000n);
    // An independent client finds the transaction that the screen names under this id.
    const client = new TronWeb({ fullHost: node.url, headers: HEADERS });
    expect(await client.trx.getTransactionInfo(String(paid["txHash"]))).toMatchObject({
      receipt: { result: "SUCCESS" },
    });
    expect(Number((await real())["available"])).toBe(before + 180);
  });
});
