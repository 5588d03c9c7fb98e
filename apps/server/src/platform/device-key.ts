/**
 * Names the browser that makes a call, so that its wrong tries are counted apart from everybody else's. The key is
 * random and kept in an HttpOnly cookie; clients without cookies send it as a header. Whoever has it can log in as
 * nobody: it opens no session.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface DeviceKey {
  /** SHA-256 of the key's random part: what tables keep. */
  readonly hash: Buffer;
  /** Made here at a successful login. Limits by address leave such a device alone and count the device instead. */
  readonly isSigned: boolean;
}

/** A key that was just made: what the browser keeps, and what it is known by. */
export interface NewDeviceKey extends DeviceKey {
  readonly text: string;
}

/** 24 random bytes, then a signature where it was given at a login. */
const SHAPE = /^([A-Za-z0-9_-]{32})(?:\.([A-Za-z0-9_-]{22}))?$/;
/** The longest that browsers keep a cookie: 400 days. */
export const DEVICE_KEPT_MS = 34_560_000_000n;

export type DeviceOwner = "member" | "operator";

function sign(secret: Buffer, owner: DeviceOwner, random: string): string {
  return createHmac("sha256", secret)
    .update(`${owner} device\0${random}`)
    .digest()
    .subarray(0, 16)
    .toString("base64url");
}

function hashOf(random: string): Buffer {
  return createHash("sha256").update(random).digest();
}

/** Reads what a client sent; null for nothing, and for what no server of this secret can have made. */
export function readDeviceKey(text: string | undefined, secret: Buffer, owner: DeviceOwner): DeviceKey | null {
  const [, random, signature] = SHAPE.exec(text ?? "") ?? [];
  if (random === undefined) return null;
  if (signature === undefined) return { hash: hashOf(random), isSigned: false };
  const isRight = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, owner, random)));
  return isRight ? { hash: hashOf(random), isSigned: true } : null;
}

/** Makes a key for a device that has just logged in. */
export function signDeviceKey(secret: Buffer, owner: DeviceOwner): NewDeviceKey {
  const random = randomBytes(24).toString("base64url");
  return { text: `${random}.${sign(secret, owner, random)}`, hash: hashOf(random), isSigned: true };
}

/** Makes a key for a visitor who asks for a code: it names the device, and nothing is known of it yet. */
export function newVisitorKey(): NewDeviceKey {
  const random = randomBytes(24).toString("base64url");
  return { text: random, hash: hashOf(random), isSigned: false };
}

/** Browsers take a `__Host-` name over https only; without https, as in a sandbox on the loopback, the name is plain. */
function cookieName(url: string, owner: DeviceOwner): string {
  return url.startsWith("https:") ? `__Host-${owner}-device` : `${owner}-device`;
}

/** The header's text. */
export function deviceCookie(url: string, owner: DeviceOwner, key: string): string {
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(url, owner)}=${key}; Max-Age=${DEVICE_KEPT_MS / 1_000n}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

/** The key in a request's cookies. */
export function deviceKeyOfCookies(header: string | undefined, url: string, owner: DeviceOwner): string | undefined {
  const name = cookieName(url, owner);
  for (const part of (header ?? "").split(";")) {
    const [key, value] = part.trim().split("=");
    if (key === name) return value;
  }
  return undefined;
}
