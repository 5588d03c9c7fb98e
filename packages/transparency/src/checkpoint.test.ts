import { describe, expect, it } from "vitest";
import { formatCheckpoint, openCheckpoint, parseCheckpoint, signCheckpoint, type LogPolicy } from "./checkpoint.ts";
import { cosign, verifyCosignature } from "./cosignature.ts";
import { COSIGNATURE_TYPE, ED25519_TYPE, signerKey } from "./keys.ts";
import { formatSignatureLine, signNote } from "./note.ts";

const ORIGIN = "fairtick.example/log";
const log = signerKey(ORIGIN, ED25519_TYPE, new Uint8Array(32).fill(3));
const witness = signerKey("witness.example/w1", COSIGNATURE_TYPE, new Uint8Array(32).fill(4));
const policy: LogPolicy = { origin: ORIGIN, logKeys: [log.verifier], witnessKeys: [witness.verifier] };
const checkpoint = { origin: ORIGIN, size: 70_000, root: new Uint8Array(32).fill(7) };

describe("a checkpoint", () => {
  it("is formatted as three lines and parsed from them", () => {
    const text = formatCheckpoint(checkpoint);
    expect(text).toBe(`${ORIGIN}\n70000\nBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n`);
    expect(parseCheckpoint(text)).toEqual(checkpoint);
  });

  const ROOT = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
  it.each([
    ["a leading zero", `o\n07\n${ROOT}\n`],
    ["a sign", `o\n+7\n${ROOT}\n`],
    ["a size beyond exact numbers", `o\n9007199254740993\n${ROOT}\n`],
    ["a short root", `o\n7\nBwcHBw==\n`],
    ["no origin", `\n7\n${ROOT}\n`],
    ["an extension line", `o\n7\n${ROOT}\nmore\n`],
    ["no last newline", `o\n7\n${ROOT}`],
  ])("is rejected with %s", (_what, text) => {
    expect(parseCheckpoint(text)).toBeNull();
  });

  it("opens with its log's signature and names the witnesses that cosigned", () => {
    const note = signCheckpoint(checkpoint, log);
    expect(openCheckpoint(note, policy)).toMatchObject({ ok: true, checkpoint, witnesses: [] });
    const cosigned = `${note}${formatSignatureLine(cosign(formatCheckpoint(checkpoint), 1_763_700_000n, witness))}\n`;
    expect(openCheckpoint(cosigned, policy)).toMatchObject({
      ok: true,
      witnesses: [{ key: witness.verifier, time: 1_763_700_000n }],
    });
  });

  it("names one witness for one public key, whatever names it is pinned under", () => {
    const again = signerKey("witness.example/again", COSIGNATURE_TYPE, new Uint8Array(32).fill(4));
    const witnessKeys = [witness.verifier, again.verifier];
    const opened = (first: bigint, second: bigint) => {
      const text = formatCheckpoint(checkpoint);
      const lines = [cosign(text, second, again), cosign(text, first, witness)].map(formatSignatureLine);
      const note = `${signCheckpoint(checkpoint, log)}${lines.join("\n")}\n`;
      const found = openCheckpoint(note, { ...policy, witnessKeys });
      return found.ok && found.witnesses.map(({ key, time }) => [key.name, time]);
    };
    expect(opened(5n, 5n)).toEqual([["witness.example/w1", 5n]]);
    expect(opened(5n, 6n)).toEqual([["witness.example/again", 6n]]);
    expect(opened(6n, 5n)).toEqual([["witness.example/w1", 6n]]);
  });

  it("is rejected from another log, without the log's signature, or with another origin", () => {
    const other = signerKey(ORIGIN, ED25519_TYPE, new Uint8Array(32).fill(9));
    expect(openCheckpoint(signCheckpoint(checkpoint, other), policy)).toEqual({ ok: false, fault: "unsigned" });
    const text = formatCheckpoint(checkpoint);
    const witnessOnly = `${text}\n${formatSignatureLine(cosign(text, 1n, witness))}\n`;
    expect(openCheckpoint(witnessOnly, policy)).toEqual({ ok: false, fault: "not-signed-by-log" });
    const elsewhere = signCheckpoint({ ...checkpoint, origin: "elsewhere" }, log);
    expect(openCheckpoint(elsewhere, policy)).toEqual({ ok: false, fault: "other-origin" });
    const notOne = `hello\n\n${formatSignatureLine(signNote("hello\n", log))}\n`;
    expect(openCheckpoint(notOne, policy)).toEqual({ ok: false, fault: "not-a-checkpoint" });
  });
});

describe("a cosignature", () => {
  const text = formatCheckpoint(checkpoint);
  const { signature } = cosign(text, 1_679_315_147n, witness);

  it("has 72 bytes, starts with the time, and binds time and text", () => {
    expect(signature.length).toBe(72);
    expect(verifyCosignature(witness.verifier, text, signature)).toBe(1_679_315_147n);
    for (let place = 0; place < signature.length; place += 1) {
      const bent = signature.slice();
      bent[place] = (bent[place]! + 1) % 256;
      expect(verifyCosignature(witness.verifier, text, bent)).toBeNull();
    }
    expect(verifyCosignature(witness.verifier, text.replace("70000", "70001"), signature)).toBeNull();
    expect(verifyCosignature(witness.verifier, text, signature.subarray(8))).toBeNull();
  });

  it("can't be made or verified with the log's key", () => {
    expect(() => cosign(text, 1n, log)).toThrow(RangeError);
    expect(() => cosign(text, -1n, witness)).toThrow(RangeError);
    expect(verifyCosignature(log.verifier, text, signature)).toBeNull();
  });
});
