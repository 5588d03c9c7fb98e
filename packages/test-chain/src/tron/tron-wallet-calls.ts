import { createHash } from "node:crypto";
import { encodeTronCall, TRON_CALL_TYPE, type TronCall } from "@fairtick/domain";
import { type Hex, recoverAddress } from "viem";
import type { TronTransaction } from "./tron-chain.ts";
import { decimalsWord } from "./tron-tokens.ts";
import type { TronView } from "./tron-json-rpc.ts";

/** A transaction as sent over HTTP. Only its `raw_data` counts, as in java-tron. */
interface Spoken {
  readonly txID?: string;
  readonly raw_data?: {
    readonly contract?: readonly {
      readonly type?: string;
      readonly parameter?: {
        readonly type_url?: string;
        readonly value?: {
          readonly owner_address?: string;
          readonly contract_address?: string;
          readonly data?: string;
        };
      };
    }[];
    readonly ref_block_bytes?: string;
    readonly ref_block_hash?: string;
    readonly expiration?: number;
    readonly timestamp?: number;
    readonly fee_limit?: number;
  };
  readonly signature?: readonly string[];
}

/**
 * Makes the calls below `/wallet` and `/walletsolidity` that a payer uses, with bodies and answers like java-tron's.
 */
export function tronWalletCalls(
  view: TronView & { readonly isSwallowing: () => boolean },
): Readonly<Record<string, (body: unknown) => unknown>> {
  const { chain } = view;

  function block({ height, hash, parentHash, time }: ReturnType<TronView["head"]>) {
    const raw = { number: height, timestamp: time, parentHash: parentHash.slice(2) };
    return { blockID: hash.slice(2), block_header: { raw_data: raw } };
  }

  function info(body: unknown, highest: number) {
    const id = `0x${String((body as { value?: unknown }).value)}`;
    const found = view.isDenied(id) ? null : chain.find(id);
    if (found === null || found.block.height > highest) return {};
    const { height, time } = found.block;
    return {
      id: id.slice(2),
      blockNumber: height,
      blockTimeStamp: time,
      ...(!found.mined.succeeded && { result: "FAILED" }),
      receipt: { result: found.mined.succeeded ? "SUCCESS" : "REVERT" },
    };
  }

  return {
    "/wallet/getnowblock": () => block(view.head()),
    "/walletsolidity/getnowblock": () => block(view.finalized()),
    "/wallet/gettransactioninfobyid": (body) => info(body, view.head().height),
    "/walletsolidity/gettransactioninfobyid": (body) => info(body, view.finalized().height),
    "/walletsolidity/triggerconstantcontract"(body) {
      const asked = body as { contract_address?: unknown; function_selector?: unknown };
      const word = decimalsWord(`0x${String(asked.contract_address).slice(2)}`);
      if (word === null)
        return { result: { code: "CONTRACT_VALIDATE_ERROR", message: "No contract or not a valid smart contract" } };
      if (asked.function_selector !== "decimals()") return { result: { result: true }, constant_result: [""] };
      return { result: { result: true }, energy_used: 265, constant_result: [word] };
    },
    "/wallet/gettransactionfrompending"(body) {
      const id = String((body as { value?: unknown }).value);
      return chain.pool.has(`0x${id}`) && !view.isDenied(`0x${id}`) ? { txID: id } : {};
    },
    async "/wallet/broadcasttransaction"(body) {
      const read = await readTransaction(body as Spoken);
      if (typeof read === "string") return failure(read);
      const wrong = chain.judge(read);
      if (wrong !== null) return { ...failure(wrong), txid: read.id.slice(2) };
      if (!view.isSwallowing()) chain.offer(read);
      return { result: true, txid: read.id.slice(2) };
    },
  };
}

function failure(code: string) {
  return { code, message: Buffer.from(code.toLowerCase().replaceAll("_", " ")).toString("hex") };
}

/** Returns the transaction with its id and signature checked, or the name of the error. */
async function readTransaction({ txID, raw_data: raw, signature }: Spoken): Promise<TronTransaction | string> {
  const [contract] = raw?.contract ?? [];
  const value = contract?.parameter?.value;
  const isCall = contract?.type === "TriggerSmartContract" && contract.parameter?.type_url === TRON_CALL_TYPE;
  if (raw === undefined || !isCall || value === undefined) return "CONTRACT_VALIDATE_ERROR";
  const bytes = (text = "") => new Uint8Array(Buffer.from(text, "hex"));
  const call: TronCall = {
    owner: addressOf(value.owner_address),
    contract: addressOf(value.contract_address),
    data: bytes(value.data),
    feeLimit: BigInt(raw.fee_limit ?? 0),
    refBlockBytes: bytes(raw.ref_block_bytes),
    refBlockHash: bytes(raw.ref_block_hash),
    expiration: BigInt(raw.expiration ?? 0),
    timestamp: BigInt(raw.timestamp ?? 0),
  };
  const encoded = encodeTronCall(call);
  const id: Hex = `0x${createHash("sha256").update(encoded).digest("hex")}`;
  if (txID !== undefined && `0x${txID}` !== id) return "OTHER_ERROR";
  const [signed = "", ...others] = signature ?? [];
  if (!/^[0-9a-fA-F]{130}$/.test(signed) || others.length > 0) return "SIGERROR";
  const signer = await recoverAddress({ hash: id, signature: `0x${signed}` }).catch(() => null);
  if (signer?.toLowerCase() !== call.owner) return "SIGERROR";
  return { id, raw: encoded, call, signature: bytes(signed) };
}

function addressOf(text = ""): string {
  return /^41[0-9a-f]{40}$/.test(text) ? `0x${text.slice(2)}` : `0x${"0".repeat(40)}`;
}
