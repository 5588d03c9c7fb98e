import { decodeTronTransaction, fromHex, toHex, TRON_CALL_TYPE } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as v from "valibot";
import type { RequestHeaders } from "../../platform/chain-settings.ts";
import { NodeProblem } from "../chain/index.ts";

const ANSWER_MS_MAX = 10_000;
const block = v.object({
  block_header: v.object({ raw_data: v.object({ timestamp: v.pipe(v.number(), v.integer(), v.minValue(0)) }) }),
});
const pending = v.object({ txID: v.optional(v.string()) });
const taken = v.object({
  result: v.optional(v.boolean()),
  code: v.optional(v.string()),
  message: v.optional(v.string()),
});

/** The calls under `/wallet` that paying needs and that JSON-RPC lacks. All of them throw if the node doesn't answer. */
export interface TronWallet {
  newestBlock(): Promise<{ readonly time: bigint }>;
  isPending(txHash: string): Promise<boolean>;
  /** Sends a transaction. Throws `NodeProblem` if the node refuses it or already has it. */
  broadcast(transaction: object): Promise<void>;
}

export function askingWallet(walletUrl: string, headers: RequestHeaders): TronWallet {
  async function ask<Schema extends v.GenericSchema>(schema: Schema, path: string, body: object) {
    const response = await fetch(`${walletUrl}/wallet/${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      redirect: "error",
    });
    const said = v.safeParse(schema, await response.json());
    if (!said.success) throw new NodeProblem(`${path}: the answer has not the form it should have`);
    return said.output;
  }
  return {
    async newestBlock() {
      const { block_header: header } = await ask(block, "getnowblock", {});
      return { time: BigInt(header.raw_data.timestamp) };
    },
    async isPending(txHash) {
      const found = await ask(pending, "gettransactionfrompending", { value: txHash.slice(2) });
      return found.txID === txHash.slice(2);
    },
    async broadcast(transaction) {
      const said = await ask(taken, "broadcasttransaction", transaction);
      if (said.result === true) return;
      const words = Buffer.from(said.message ?? "", "hex")
        .toString("utf8")
        .slice(0, 200);
      throw new NodeProblem(`broadcasttransaction: ${said.code ?? ""} ${words}`);
    },
  };
}

/** Returns a stored transaction's expiration in milliseconds. Throws if the bytes are no transaction. */
export function expirationOf(raw: string): bigint {
  return read(raw).call.expiration;
}

/** Converts a stored transaction to the form that the wallet calls use. */
export function spokenTransaction(stored: string) {
  const { raw, call, signature } = read(stored);
  const value = {
    data: toHex(call.data),
    owner_address: `41${call.owner.slice(2)}`,
    contract_address: `41${call.contract.slice(2)}`,
  };
  return {
    visible: false,
    txID: toHex(nodeHashes.sha256(raw)),
    raw_data_hex: toHex(raw),
    raw_data: {
      contract: [{ parameter: { value, type_url: TRON_CALL_TYPE }, type: "TriggerSmartContract" }],
      ref_block_bytes: toHex(call.refBlockBytes),
      ref_block_hash: toHex(call.refBlockHash),
      expiration: Number(call.expiration),
      timestamp: Number(call.timestamp),
      fee_limit: Number(call.feeLimit),
    },
    signature: [toHex(signature)],
  };
}

function read(stored: string) {
  const found = decodeTronTransaction(fromHex(stored.slice(2)) ?? new Uint8Array());
  if (found === null) throw new Error("a stored attempt is not a TRON transaction");
  return found;
}
