import { keccak_256 } from "@noble/hashes/sha3.js";
import { TronWeb, utils } from "tronweb";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../log/bytes.ts";
import { nodeHashes } from "../log/node-hashes.ts";
import { formatTronAddress, judgeAddress, judgeTronAddress } from "./tron-address.ts";
import {
  decodeTokenTransfer,
  decodeTronCall,
  decodeTronTransaction,
  encodeTokenTransfer,
  encodeTronCall,
  encodeTronTransaction,
  tronBlockReference,
  type TronCall,
} from "./tron-transaction.ts";

const sha256 = (bytes: Uint8Array) => nodeHashes.sha256(bytes);
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const USDT_HEX = "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c";
const EVM = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const error = (verdict: ReturnType<typeof judgeTronAddress>) => (verdict.ok ? null : verdict.refusal.error);
const addressOf = (number: bigint) =>
  `0x${((number * 0x9e3779b97f4a7c15f39cc0605cedc8341082276bn) % 2n ** 160n).toString(16).padStart(40, "0")}`;

describe("a TRON address", () => {
  it.each([
    ["of the token contract", USDT, null],
    ["with one character changed", USDT.replace("q8ZY", "q8ZX"), "ADDRESS_CHECKSUM"],
    ["with two characters exchanged", USDT.replace("pL8", "p8L"), "ADDRESS_CHECKSUM"],
    ["with another case", USDT.replace("NH", "Nh"), "ADDRESS_CHECKSUM"],
    ["with a letter that addresses never contain", USDT.replace("o", "O"), "ADDRESS_CHECKSUM"],
    ["cut short", USDT.slice(0, -1), "ADDRESS_INVALID"],
    ["with an extra character", `${USDT}x`, "ADDRESS_INVALID"],
    ["of nobody", formatTronAddress(`0x${"0".repeat(40)}`, sha256), "ADDRESS_INVALID"],
    ["in hexadecimal", `41${USDT_HEX.slice(2)}`, "ADDRESS_INVALID"],
    ["of Ethereum", EVM, "ADDRESS_OTHER_CHAIN"],
    ["of Ethereum, in lower case", EVM.toLowerCase(), "ADDRESS_OTHER_CHAIN"],
    ["of Bitcoin", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "ADDRESS_OTHER_CHAIN"],
    ["of Bitcoin, old", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "ADDRESS_OTHER_CHAIN"],
    ["of Solana", "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T", "ADDRESS_OTHER_CHAIN"],
    ["of a chain with 32 bytes", `0x${"ab".repeat(32)}`, "ADDRESS_OTHER_CHAIN"],
    ["that is a name", "alice.trx", "ADDRESS_INVALID"],
  ])("%s is judged", (_what, text, expected) => {
    expect(error(judgeTronAddress(text, sha256))).toBe(expected);
  });

  it("is read and written as tronweb does", () => {
    expect(judgeTronAddress(USDT, sha256)).toEqual({ ok: true, value: USDT_HEX });
    for (let number = 1n; number < 60n; number += 1n) {
      const text = formatTronAddress(addressOf(number), sha256);
      expect(text).toBe(TronWeb.address.fromHex(`41${addressOf(number).slice(2)}`));
      expect(TronWeb.isAddress(text)).toBe(true);
      expect(judgeTronAddress(text, sha256)).toEqual({ ok: true, value: addressOf(number) });
    }
  });

  it("is judged by the rules of its chain's kind", () => {
    const hashes = { keccak256: keccak_256, sha256 };
    expect(judgeAddress("tron", USDT, hashes)).toEqual({ ok: true, value: USDT_HEX });
    expect(error(judgeAddress("evm", USDT, hashes))).toBe("ADDRESS_OTHER_CHAIN");
    expect(judgeAddress("evm", EVM, hashes)).toEqual({ ok: true, value: EVM.toLowerCase() });
    expect(error(judgeAddress("tron", EVM, hashes))).toBe("ADDRESS_OTHER_CHAIN");
  });
});

const HASH = `0x${"00".repeat(4)}043ce5b2${"5a".repeat(24)}`;
const call: TronCall = {
  owner: addressOf(7n),
  contract: USDT_HEX,
  data: encodeTokenTransfer(addressOf(8n), 299_000_000n),
  feeLimit: 100_000_000n,
  ...tronBlockReference({ height: 0x043c_e5b2n, hash: HASH }),
  expiration: 1_795_271_400_000n,
  timestamp: 1_795_271_100_000n,
};

/** Returns the same call in the form that nodes use. */
function spoken({ owner, contract, data, feeLimit, refBlockBytes, refBlockHash, expiration, timestamp }: TronCall) {
  const value = { data: toHex(data), owner_address: `41${owner.slice(2)}`, contract_address: `41${contract.slice(2)}` };
  return {
    visible: false,
    txID: "",
    raw_data: {
      contract: [
        {
          parameter: { value, type_url: "type.googleapis.com/protocol.TriggerSmartContract" },
          type: "TriggerSmartContract",
        },
      ],
      ref_block_bytes: toHex(refBlockBytes),
      ref_block_hash: toHex(refBlockHash),
      expiration: Number(expiration),
      timestamp: Number(timestamp),
      fee_limit: Number(feeLimit),
    },
  };
}

describe("a call of a contract", () => {
  it("has the bytes and the id that tronweb gives it", () => {
    for (const one of [call, { ...call, feeLimit: 0n }, { ...call, data: new Uint8Array(300).fill(9) }]) {
      const theirs = utils.transaction.txJsonToPb(spoken(one));
      const raw = encodeTronCall(one);
      expect(toHex(raw)).toBe(utils.transaction.txPbToRawDataHex(theirs).toLowerCase());
      expect(`0x${toHex(sha256(raw))}`).toBe(`0x${utils.transaction.txPbToTxID(theirs).replace(/^0x/, "")}`);
    }
  });

  it("decodes to the same call, alone and in its transaction", () => {
    const raw = encodeTronCall(call);
    expect(decodeTronCall(raw)).toEqual(call);
    const signature = new Uint8Array(65).fill(3);
    expect(decodeTronTransaction(encodeTronTransaction(raw, signature))).toEqual({ raw, call, signature });
    expect(decodeTokenTransfer(call.data)).toEqual({ to: addressOf(8n), units: 299_000_000n });
  });

  it("is not decoded from any other bytes", () => {
    const raw = encodeTronCall(call);
    // With an additional field, a duplicate, a truncated one, another kind of contract, and an explicit zero.
    const others = [
      Uint8Array.of(...raw, 0x52, 0x01, 0x07),
      Uint8Array.of(...raw, ...raw),
      raw.subarray(0, -1),
      new Uint8Array(),
      fromHex(toHex(raw).replace("081f12", "081e12"))!,
      Uint8Array.of(...encodeTronCall({ ...call, feeLimit: 0n }), 0x90, 0x01, 0x00),
    ];
    for (const other of others) expect(decodeTronCall(other)).toBe(null);
    for (let place = 0; place < raw.length; place += 1) {
      const changed = raw.slice();
      changed[place]! ^= 1;
      const read = decodeTronCall(changed);
      expect(read === null || toHex(encodeTronCall(read)) === toHex(changed)).toBe(true);
      expect(read).not.toEqual(call);
    }
    expect(decodeTronTransaction(encodeTronTransaction(raw, new Uint8Array(64)))).toBe(null);
    expect(decodeTokenTransfer(Uint8Array.of(...call.data, 0))).toBe(null);
    expect(decodeTokenTransfer(call.data.map((byte, place) => (place === 5 ? 1 : byte)))).toBe(null);
  });
});
