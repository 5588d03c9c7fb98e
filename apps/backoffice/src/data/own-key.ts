/**
 * The key an operator approves payments with. It is generated in this browser, can't be exported, and is stored per
 * login. The server gets the public key only.
 */
import { type Instant, keyStatement, paymentStatement } from "@fairtick/domain";
import type { WithdrawalCase } from "@fairtick/protocol/operator";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelf } from "./queries.ts";

const DATABASE = "fairtick-office";
const STORE = "keys";
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

export interface OwnKey {
  readonly privateKey: CryptoKey;
  /** 65 bytes uncompressed, base64url. */
  readonly publicKey: string;
  /** SHA-256 of it, hexadecimal. */
  readonly keyId: string;
}

function openStore(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.addEventListener("upgradeneeded", () => asked.result.createObjectStore(STORE));
    asked.addEventListener("success", () => resolve(asked.result));
    asked.addEventListener("error", () => reject(asked.error ?? new Error("This browser can’t store the key.")));
  });
}

async function inStore<Value>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const database = await openStore();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const asked = act(transaction.objectStore(STORE));
      transaction.addEventListener("complete", () => resolve(asked.result));
      transaction.addEventListener("abort", () =>
        reject(transaction.error ?? new Error("This browser couldn’t store the key.")),
      );
    });
  } finally {
    database.close();
  }
}

/** Reads the logged-in operator's key from this browser; null when there is none. */
export function useOwnKey() {
  const operatorId = useSelf().data?.operator.operatorId;
  return useQuery<OwnKey | null>({
    queryKey: ["own key", operatorId],
    queryFn: async () => {
      const found: unknown = await inStore("readonly", (store) => store.get(operatorId ?? ""));
      return (found as OwnKey | undefined) ?? null;
    },
    enabled: operatorId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Generates a key for the logged-in operator. It replaces any key this browser had for them. */
export function useMakeKey(): () => Promise<OwnKey> {
  const queries = useQueryClient();
  const operatorId = useSelf().data?.operator.operatorId;
  return async () => {
    if (operatorId === undefined) throw new Error("Log in first.");
    // Browsers offer Web Crypto on HTTPS and localhost only.
    if (!globalThis.isSecureContext)
      throw new Error("Signing keys need HTTPS. Open the console at its https:// address.");
    const pair = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
    const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    const key: OwnKey = {
      privateKey: pair.privateKey,
      publicKey: toBase64Url(point),
      keyId: Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", point)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
    };
    await inStore("readwrite", (store) => store.put(key, operatorId));
    await queries.invalidateQueries({ queryKey: ["own key"] });
    return key;
  };
}

/** Signs the payment on screen. The bytes are built here, from the fields that are shown. */
export function signPayment(key: OwnKey, { payment }: Pick<WithdrawalCase, "payment">): Promise<string> {
  const { chain, amount, expiry, ...rest } = payment;
  const bytes = paymentStatement({
    ...rest,
    chain: BigInt(chain),
    amount: BigInt(amount),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a nominal type is nothing but this assertion
    expiry: BigInt(expiry) as Instant,
  });
  return sign(key, bytes);
}

/** Signs a colleague's public key, so that the signer accepts it. */
export function signKey(key: OwnKey, operator: string, publicKey: string): Promise<string> {
  return sign(key, keyStatement({ operator, publicKey }));
}

async function sign({ privateKey }: OwnKey, bytes: Uint8Array): Promise<string> {
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, new Uint8Array(bytes));
  return toBase64Url(new Uint8Array(signature));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
