import { request } from "node:http";
import { TronWeb } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callNode, NodeRefusal } from "../node-call.ts";
import { STRANGER } from "../tokens.ts";
import { startTronNode, type TronNode } from "./start-tron-node.ts";
import { TRON_TOKEN } from "./tron-tokens.ts";

let node: TronNode;
let client: TronWeb;
beforeAll(async () => {
  node = await startTronNode({ solidifiedBehind: 3 });
  client = new TronWeb({ fullHost: node.url, privateKey: STRANGER.privateKey.slice(2) });
});
afterAll(() => node.stop());

const to = `0x${"7a".repeat(20)}`;
it("answers programs on this machine, but no web pages", async () => {
  const ask = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${node.url}/wallet/getnowblock`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on("error", reject).end("{}");
    });
  expect(await ask({ host: "rebound.example" })).toBe(421);
  expect(await ask({ origin: "https://evil.example" })).toBe(403);
  expect(await ask({ "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await ask({})).toBe(200);
});

/** Builds, signs and sends a transaction with tronweb, which is independent of our code. */
async function byTronweb(units: number, key?: string) {
  const block = node.chain.head();
  const built = await client.transactionBuilder.triggerSmartContract(
    `41${TRON_TOKEN.slice(2)}`,
    "transfer(address,uint256)",
    {
      txLocal: true,
      feeLimit: 100_000_000,
      blockHeader: {
        ref_block_bytes: (block.height & 0xffff).toString(16).padStart(4, "0"),
        ref_block_hash: block.hash.slice(18, 34),
        expiration: block.time + 60_000,
        timestamp: block.time,
      },
    },
    [
      { type: "address", value: `41${to.slice(2)}` },
      { type: "uint256", value: units },
    ],
    `41${STRANGER.address.slice(2)}`,
  );
  return client.trx.sign(built.transaction, key);
}
const rpc = (method: string, ...params: unknown[]) => callNode(`${node.url}/jsonrpc`, method, params);

describe("the TRON node of the tests", () => {
  it("accepts what tronweb built and signed, and nothing changed afterwards", async () => {
    const signed = await byTronweb(5);
    const changed = structuredClone(signed);
    changed.raw_data.fee_limit = 1;
    expect(await client.trx.sendRawTransaction(changed)).toMatchObject({ code: "OTHER_ERROR" });
    const { txID: _id, ...unnamed } = changed;
    expect(await client.trx.sendRawTransaction(unnamed as never)).toMatchObject({ code: "SIGERROR" });
    expect(await client.trx.sendRawTransaction(signed)).toMatchObject({ result: true, txid: signed.txID });
    expect(await client.trx.sendRawTransaction(signed)).toMatchObject({ code: "DUP_TRANSACTION_ERROR" });
    node.chain.mine();
    expect(node.chain.balance(TRON_TOKEN, to)).toBe(5n);
    const receipt = await rpc("eth_getTransactionReceipt", `0x${signed.txID}`);
    expect(receipt).toMatchObject({ status: "0x1", logs: [{ address: TRON_TOKEN, logIndex: "0x0" }] });
    expect(await client.trx.getUnconfirmedTransactionInfo(signed.txID)).toMatchObject({ id: signed.txID });
    expect(await client.trx.getTransactionInfo(signed.txID)).toEqual({});
    node.chain.mine(3);
    expect(await client.trx.getTransactionInfo(signed.txID)).toMatchObject({ id: signed.txID });
  });

  it("accepts no expired transaction, and includes none in a block whose parent is past its expiration", async () => {
    const late = await byTronweb(1);
    node.chain.skipTime(60_000);
    expect(await client.trx.sendRawTransaction(late)).toMatchObject({ result: true });
    node.chain.holding = true;
    node.chain.mine();
    node.chain.holding = false;
    node.chain.mine(2);
    expect(node.chain.find(`0x${late.txID}`)).toBe(null);
    expect(await client.trx.sendRawTransaction(late)).toMatchObject({ code: "TRANSACTION_EXPIRATION_ERROR" });
  });

  it("mines failed transactions, which move nothing", async () => {
    node.chain.paused = true;
    const id = await node.send(to, 100n);
    node.chain.mine();
    node.chain.paused = false;
    expect(await rpc("eth_getTransactionReceipt", id)).toMatchObject({ status: "0x0", logs: [] });
    expect(node.chain.balance(TRON_TOKEN, to)).toBe(5n);
  });

  it("reverts blocks with their effects, but never solidified ones", async () => {
    const id = await node.send(to, 100n);
    node.chain.mine(2);
    const before = node.chain.head();
    node.chain.reorg(2);
    expect(node.chain.head().height).toBe(before.height);
    expect(node.chain.head().hash).not.toBe(before.hash);
    expect(node.chain.balance(TRON_TOKEN, to)).toBe(5n);
    node.chain.mine();
    expect(node.chain.find(id)?.block.height).toBe(before.height + 1);
    expect(() => node.chain.reorg(4)).toThrow("solidified");
  });

  it("has java-tron's limits, and lacks what java-tron lacks", async () => {
    await expect(rpc("eth_getTransactionCount", to, "latest")).rejects.toThrow(NodeRefusal);
    await expect(rpc("eth_sendRawTransaction", "0x00")).rejects.toThrow(NodeRefusal);
    node.chain.mine(5_002);
    await expect(rpc("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" })).rejects.toThrow("exceed max block range");
  });
});
