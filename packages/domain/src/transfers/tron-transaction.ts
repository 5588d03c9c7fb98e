import { concatBytes, equalBytes, fromHex, toHex, utf8 } from "../log/bytes.ts";

/**
 * One contract call as TRON signs it (`protocol.Transaction.raw` with a `TriggerSmartContract`). It has no nonce;
 * instead it refers to a recent block, and after `expiration` no block may include it. Addresses are `0x` and 40
 * digits.
 */
export interface TronCall {
  readonly owner: string;
  readonly contract: string;
  /** Selector and arguments, as on an EVM chain. */
  readonly data: Uint8Array;
  /** The most that the call may burn, in millionths of a TRX. */
  readonly feeLimit: bigint;
  /** Bytes 6 and 7 of a recent block's height, and bytes 8 to 15 of its hash. */
  readonly refBlockBytes: Uint8Array;
  readonly refBlockHash: Uint8Array;
  /** Milliseconds since 1970 UTC. */
  readonly expiration: bigint;
  readonly timestamp: bigint;
}

/**
 * How much later than the first transaction's expiration a solidified block must be before another transaction for the
 * same payment is signed. The chain's own rule needs no such margin, but behind a load balancer one node may report the
 * time while a slower one could still accept the transaction.
 */
export const TRON_OVER_MS = 60_000n;

export const TRON_CALL_TYPE = "type.googleapis.com/protocol.TriggerSmartContract";
const TRIGGER_SMART_CONTRACT = 31n;
const TRON_PREFIX = 0x41;
/** `transfer(address,uint256)` */
const TRANSFER = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb);
const WORD_BYTES = 32;

/** Encodes the bytes that are signed. Their SHA-256 is the transaction's id. */
export function encodeTronCall(call: TronCall): Uint8Array {
  const contract = concatBytes(
    bytesField(1, withPrefix(call.owner)),
    bytesField(2, withPrefix(call.contract)),
    bytesField(4, call.data),
  );
  const parameter = concatBytes(bytesField(1, utf8(TRON_CALL_TYPE)), bytesField(2, contract));
  return concatBytes(
    bytesField(1, call.refBlockBytes),
    bytesField(4, call.refBlockHash),
    numberField(8, call.expiration),
    bytesField(11, concatBytes(numberField(1, TRIGGER_SMART_CONTRACT), bytesField(2, parameter))),
    numberField(14, call.timestamp),
    numberField(18, call.feeLimit),
  );
}

/** Decodes the output of `encodeTronCall`; null for anything that doesn't encode to exactly the same bytes again. */
export function decodeTronCall(raw: Uint8Array): TronCall | null {
  const fields = readFields(raw);
  const contract = contractFields(fields?.bytes.get(11));
  if (!fields || !contract) return null;
  const [owner, target, data] = [1, 2, 4].map((number) => contract.bytes.get(number));
  const [refBlockBytes, refBlockHash] = [1, 4].map((number) => fields.bytes.get(number));
  if (owner === undefined || target === undefined || data === undefined) return null;
  if (refBlockBytes === undefined || refBlockHash === undefined || owner.length !== 21 || target.length !== 21)
    return null;
  const call: TronCall = {
    owner: `0x${toHex(owner.subarray(1))}`,
    contract: `0x${toHex(target.subarray(1))}`,
    data,
    feeLimit: fields.numbers.get(18) ?? 0n,
    refBlockBytes,
    refBlockHash,
    expiration: fields.numbers.get(8) ?? 0n,
    timestamp: fields.numbers.get(14) ?? 0n,
  };
  return equalBytes(encodeTronCall(call), raw) ? call : null;
}

/** Unwraps the contract call, which is nested two messages deep. */
function contractFields(wrapped: Uint8Array | undefined): ReturnType<typeof readFields> {
  const parameter = readFields(readFields(wrapped)?.bytes.get(2));
  return readFields(parameter?.bytes.get(2));
}

/** Encodes the transaction as it is stored and sent: the signed bytes and the 65 bytes of the signature. */
export function encodeTronTransaction(raw: Uint8Array, signature: Uint8Array): Uint8Array {
  return concatBytes(bytesField(1, raw), bytesField(2, signature));
}

/** Decodes a sent transaction; null unless it is one call with one signature. */
export function decodeTronTransaction(
  bytes: Uint8Array,
): { readonly raw: Uint8Array; readonly call: TronCall; readonly signature: Uint8Array } | null {
  const fields = readFields(bytes);
  const [raw, signature] = [fields?.bytes.get(1), fields?.bytes.get(2)];
  if (raw === undefined || signature?.length !== 65) return null;
  const call = decodeTronCall(raw);
  if (call === null || !equalBytes(encodeTronTransaction(raw, signature), bytes)) return null;
  return { raw, call, signature };
}

/** Returns a transaction's reference to a recent block; `hash` is `0x` and 64 digits. */
export function tronBlockReference(block: { readonly height: bigint; readonly hash: string }) {
  const height = fromHex(block.height.toString(16).padStart(16, "0"));
  const hash = fromHex(block.hash.slice(2));
  if (height === null || hash?.length !== WORD_BYTES) throw new Error(`${block.hash} isn't a block hash`);
  return { refBlockBytes: height.slice(6, 8), refBlockHash: hash.slice(8, 16) };
}

/** Encodes the call data of a token's transfer. */
export function encodeTokenTransfer(to: string, units: bigint): Uint8Array {
  return concatBytes(TRANSFER, wordOf(BigInt(to)), wordOf(units));
}

/** Decodes the call data of a token transfer; null if it is another call's. */
export function decodeTokenTransfer(data: Uint8Array): { readonly to: string; readonly units: bigint } | null {
  if (data.length !== TRANSFER.length + 2 * WORD_BYTES || !equalBytes(data.subarray(0, 4), TRANSFER)) return null;
  const to = `0x${toHex(data.subarray(16, 36))}`;
  const units = BigInt(`0x${toHex(data.subarray(36))}`);
  return equalBytes(encodeTokenTransfer(to, units), data) ? { to, units } : null;
}

function wordOf(value: bigint): Uint8Array {
  const bytes = fromHex(value.toString(16).padStart(WORD_BYTES * 2, "0"));
  if (bytes?.length !== WORD_BYTES) throw new RangeError(`${value} doesn't fit in a word of 32 bytes`);
  return bytes;
}

function withPrefix(address: string): Uint8Array {
  const bytes = fromHex(address.slice(2));
  if (bytes?.length !== 20) throw new Error(`${address} is no address of 20 bytes`);
  return concatBytes(Uint8Array.of(TRON_PREFIX), bytes);
}

/** Writes a number as a protocol-buffer varint: in groups of seven bits, lowest first. */
function varint(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`not written as a varint: ${value}`);
  const bytes: number[] = [];
  let rest = value;
  do {
    const group = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? group | 0x80 : group);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** Writes a number field; zero is left out, as in protocol buffers. */
function numberField(number: number, value: bigint): Uint8Array {
  return value === 0n ? new Uint8Array() : concatBytes(varint(BigInt(number << 3)), varint(value));
}

function bytesField(number: number, value: Uint8Array): Uint8Array {
  return concatBytes(varint(BigInt((number << 3) | 2)), varint(BigInt(value.length)), value);
}

interface Fields {
  readonly numbers: ReadonlyMap<number, bigint>;
  readonly bytes: ReadonlyMap<number, Uint8Array>;
}

/** Reads a message's fields; null if one occurs twice, has another form or is truncated. */
function readFields(bytes: Uint8Array | undefined): Fields | null {
  if (bytes === undefined) return null;
  const fields = { numbers: new Map<number, bigint>(), bytes: new Map<number, Uint8Array>() };
  let place = 0;
  function readVarint(): bigint | null {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes?.[place];
      if (byte === undefined) return null;
      place += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return null;
  }
  while (place < bytes.length) {
    const tag = readVarint();
    const value = readVarint();
    if (tag === null || value === null) return null;
    const [number, form] = [Number(tag >> 3n), Number(tag & 7n)];
    if (fields.numbers.has(number) || fields.bytes.has(number)) return null;
    if (form === 0) {
      fields.numbers.set(number, value);
      continue;
    }
    const end = place + Number(value);
    if (form !== 2 || end > bytes.length) return null;
    fields.bytes.set(number, bytes.slice(place, end));
    place = end;
  }
  return fields;
}
