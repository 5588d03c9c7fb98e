import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { toHex, utf8 } from "@fairtick/domain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosign } from "./cosignature.ts";
import {
  COSIGNATURE_TYPE,
  ED25519_TYPE,
  formatSignerKey,
  formatVerifierKey,
  parseSignerKey,
  parseVerifierKey,
  signerKey,
} from "./keys.ts";
import { formatNote, openNote, parseNote, signNote } from "./note.ts";

// Values from the reference implementation, golang.org/x/mod/sumdb/note.
const GO_VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_SIGNER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const GO_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const GO_LINE =
  "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
const GO_NOTE = `${GO_TEXT}\n${GO_LINE}\n`;

const peter = parseVerifierKey(GO_VERIFIER)!;
const alice = signerKey("example.com/alice", ED25519_TYPE, new Uint8Array(32).fill(1));
const bob = signerKey("example.com/bob", ED25519_TYPE, new Uint8Array(32).fill(2));

describe("keys", () => {
  it("match the reference implementation byte for byte", () => {
    expect([peter.name, peter.type, toHex(peter.id)]).toEqual(["PeterNeumann", 1, "c74f20a3"]);
    expect(formatVerifierKey(peter)).toBe(GO_VERIFIER);
    const signer = parseSignerKey(GO_SIGNER)!;
    expect(formatVerifierKey(signer.verifier)).toBe(GO_VERIFIER);
    expect(formatSignerKey(signer)).toBe(GO_SIGNER);
  });

  it("are rejected if any part is missing or any character differs", () => {
    for (const [text, parse] of [
      [GO_VERIFIER, parseVerifierKey],
      [GO_SIGNER, parseSignerKey],
    ] as const) {
      for (let from = 0; from < text.length; from += 1) {
        expect(parse(text.slice(from + 1))).toBeNull();
        expect(parse(text.slice(0, from))).toBeNull();
        const other = String.fromCharCode(text.charCodeAt(from) + 1);
        expect(parse(text.slice(0, from) + other + text.slice(from + 1))).toBeNull();
      }
    }
    // From the reference's own tests: a longer key and an unknown algorithm, each with a matching id.
    expect(parseVerifierKey("PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==")).toBeNull();
    expect(parseVerifierKey("PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")).toBeNull();
  });

  it("have different ids for different algorithms or names", () => {
    const seed = new Uint8Array(32).fill(1);
    const ids = [
      alice,
      signerKey("example.com/alice", COSIGNATURE_TYPE, seed),
      signerKey("example.com/carol", ED25519_TYPE, seed),
    ].map((key) => toHex(key.verifier.id));
    expect(new Set(ids).size).toBe(3);
    for (const key of [alice, signerKey("w", COSIGNATURE_TYPE, seed)]) {
      expect(parseVerifierKey(formatVerifierKey(key.verifier))).toEqual(key.verifier);
    }
  });

  it.each(["", "two words", "a+b", "line\nbreak", "thin\u2009space"])("cannot be named %j", (name) => {
    expect(() => signerKey(name, ED25519_TYPE, new Uint8Array(32))).toThrow(RangeError);
  });
});

describe("a signed note", () => {
  it("is formatted and opened like the reference implementation's", () => {
    const signature = signNote(GO_TEXT, parseSignerKey(GO_SIGNER)!);
    expect(formatNote({ text: GO_TEXT, signatures: [signature] })).toBe(GO_NOTE);
    expect(openNote(GO_NOTE, [peter])).toMatchObject({
      ok: true,
      text: GO_TEXT,
      signers: [{ key: peter, time: null }],
    });
  });

  it("names each known signer once and ignores unknown keys, whatever they signed", () => {
    const text = "hello\n\nafter a blank line\n";
    const unknown = { name: "example.com/alice", keyId: Uint8Array.of(9, 9, 9, 9), signature: new Uint8Array(3) };
    const signatures = [unknown, signNote(text, bob), signNote(text, alice), signNote(text, alice)];
    const note = formatNote({ text, signatures });
    const opened = openNote(note, [alice.verifier, bob.verifier]);
    expect(opened).toMatchObject({ ok: true, text, signers: [{ key: bob.verifier }, { key: alice.verifier }] });
    expect(openNote(note, [bob.verifier])).toMatchObject({ ok: true, signers: [{ key: bob.verifier }] });
    expect(openNote(note, [peter])).toEqual({ ok: false, fault: "unsigned" });
    expect(openNote(note, [])).toEqual({ ok: false, fault: "unsigned" });
  });

  it("is rejected as a whole if one known key's signature is invalid", () => {
    const text = "hello\n";
    const broken = { ...signNote(text, bob), signature: signNote("hullo\n", bob).signature };
    const note = formatNote({ text, signatures: [signNote(text, alice), broken] });
    expect(openNote(note, [alice.verifier, bob.verifier])).toEqual({ ok: false, fault: "bad-signature" });
    expect(openNote(note, [alice.verifier])).toMatchObject({ ok: true });
  });

  it.each([
    ["no signature", GO_TEXT],
    ["no blank line", `${GO_TEXT}${GO_LINE}\n`],
    ["no last newline", `${GO_TEXT}\n${GO_LINE}`],
    ["a hyphen for the dash", GO_NOTE.replace("—", "-")],
    ["two spaces", GO_NOTE.replace("— ", "—  ")],
    ["bad base 64", GO_NOTE.replace("nAM=", "nAN=")],
    ["no signature after the key id", GO_NOTE.replace(/x08go.*=/, "x08gow==")],
    ["a control character", GO_NOTE.replace("If", "\tIf")],
    ["a carriage return", GO_NOTE.replace(",\n", ",\r\n")],
    ["a lone surrogate", GO_NOTE.replace("If", "\ud800")],
    ["a plus in the name", GO_NOTE.replace("— PeterNeumann", "— Peter+Neumann")],
    ["more than a hundred signatures", GO_NOTE + `${GO_LINE}\n`.repeat(100)],
  ])("is malformed with %s", (_what, note) => {
    expect(parseNote(note)).toBeNull();
    expect(openNote(note, [peter])).toEqual({ ok: false, fault: "malformed" });
  });

  it("never opens with any character changed", () => {
    fc.assert(
      fc.property(fc.nat({ max: GO_NOTE.length - 1 }), fc.integer({ min: 1, max: 94 }), (place, step) => {
        const bent = String.fromCharCode(32 + ((GO_NOTE.charCodeAt(place) + step) % 95));
        fc.pre(bent !== GO_NOTE[place]);
        const note = GO_NOTE.slice(0, place) + bent + GO_NOTE.slice(place + 1);
        expect(openNote(note, [peter]).ok).toBe(false);
      }),
    );
  });

  it("can't be signed with a witness's key or without a final newline", () => {
    const witness = signerKey("w", COSIGNATURE_TYPE, new Uint8Array(32));
    expect(() => signNote("hello\n", witness)).toThrow(RangeError);
    expect(() => signNote("no newline", alice)).toThrow(RangeError);
  });

  it("has the same signatures as Node's own Ed25519", () => {
    const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), alice.seed]);
    const privateKey = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
    fc.assert(
      fc.property(fc.string(), (words) => {
        const text = `${words.replaceAll(/[\p{Cc}\p{Cs}]/gu, "")}\n`;
        const { signature } = signNote(text, alice);
        expect(toHex(signature)).toBe(sign(null, utf8(text), privateKey).toString("hex"));
        const cosigner = signerKey("w", COSIGNATURE_TYPE, alice.seed);
        const { signature: cosignature } = cosign(text, 7n, cosigner);
        const message = utf8(`cosignature/v1\ntime 7\n${text}`);
        expect(verify(null, message, createPublicKey(privateKey), cosignature.subarray(8))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
