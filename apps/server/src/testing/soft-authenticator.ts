/** An authenticator for tests. It makes ES256 keys and signs as WebAuthn requires, and lies if told to. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import type { PasskeyAnswer, PasskeyMade, PasskeyQuestion, PasskeyWish } from "@fairtick/protocol/operator";

/** False values that a dishonest browser or authenticator sends. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  /** The counter of this signature only. */
  readonly counter?: number;
  /** Signs with another key than the passkey's. */
  readonly foreignKey?: boolean;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const NEW_CREDENTIAL = 64;

/** Encodes the few kinds of CBOR that are needed. */
function cbor(value: number | string | Buffer | ReadonlyMap<number | string, unknown>): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as number)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

export class SoftAuthenticator {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #coseKey: Buffer;
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const [xBytes, yBytes] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
    this.#coseKey = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, xBytes],
        [-3, yBytes],
      ]),
    );
  }

  make(wish: PasskeyWish, lies: Lies = {}): PasskeyMade {
    const idLength = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), idLength, this.id, this.#coseKey]);
    const authData = Buffer.concat([this.#authData(wish.rp.id, NEW_CREDENTIAL, lies), credential]);
    const attestation = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#clientData("webauthn.create", wish.challenge, lies).toString("base64url"),
        attestationObject: cbor(attestation).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  answer(question: PasskeyQuestion, lies: Lies = {}): PasskeyAnswer {
    const clientData = this.#clientData("webauthn.get", question.challenge, lies);
    const authData = this.#authData(question.rpId, 0, lies);
    const key = lies.foreignKey ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : this.#key;
    const signature = createSign("sha256").update(authData).update(sha256(clientData)).sign(key);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
      },
    };
  }

  #named() {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const said = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(said));
  }

  #authData(rpId: string, flags: number, lies: Lies): Buffer {
    const present = lies.userPresent === false ? 0 : USER_PRESENT;
    const verified = lies.userVerified === false ? 0 : USER_VERIFIED;
    const counter = Buffer.alloc(4);
    this.#counter += 1;
    counter.writeUInt32BE(lies.counter ?? this.#counter);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags | present | verified]), counter]);
  }
}
