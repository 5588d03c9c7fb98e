/** Time-based one-time codes (RFC 6238) with SHA-1, six digits and steps of thirty seconds, as every authenticator app supports. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "@fairtick/domain";

/** Length of a secret, as RFC 4226 recommends. */
export const SECRET_BYTES = 20;
const STEP_MS = 30_000n;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes bytes in base 32 (RFC 4648) without padding, as people type it into their app. */
export function toBase32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, "0"), 2))).join("");
}

export function fromBase32(text: string): Buffer {
  let bits = "";
  for (const character of text) bits += BASE32.indexOf(character).toString(2).padStart(5, "0");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the code of a counter (RFC 4226). */
export function hotp(secret: Uint8Array, counter: bigint): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(counter);
  const digest = createHmac("sha1", secret).update(message).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return ((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).toString().padStart(6, "0");
}

export function totp(secret: Uint8Array, now: Instant): string {
  return hotp(secret, now / STEP_MS);
}

/**
 * Returns the step that a code belongs to: the current one, or one before or after, since clocks differ. Null if it matches none
 * of them later than `usedStep`, so that a code seen by someone else can't be used again.
 */
export function matchTotp(secret: Uint8Array, code: string, now: Instant, usedStep: bigint): bigint | null {
  const current = now / STEP_MS;
  for (const step of [current - 1n, current, current + 1n]) {
    if (step > usedStep && timingSafeEqual(Buffer.from(hotp(secret, step)), Buffer.from(code))) return step;
  }
  return null;
}

/** Returns the address that an authenticator app reads from a QR code or a link. */
export function totpUri(secret: Uint8Array, login: string): string {
  return `otpauth://totp/Fairtick:${encodeURIComponent(login)}?secret=${toBase32(secret)}&issuer=Fairtick`;
}
