/**
 * The device key identifies the browser that makes a call, so that its wrong tries are counted separately. It is random and
 * kept in an HttpOnly cookie; clients without cookies send it as a header. It opens no session, so a thief can't log in with it.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface DeviceKey {
  /** SHA-256 of the key's random part, as tables store it. */
  readonly hash: Buffer;
  /** Whether we made it at a successful login. Such a device has limits of its own instead of its address's. */
  readonly isSigned: boolean;
}

/** A new key: the text for the browser, and what we know it by. */
export interface NewDeviceKey extends DeviceKey {
  readonly text: string;
}

/** 24 random bytes, followed by a signature if the key was made at a login. */
const SHAPE = /^([A-Za-z0-9_-]{32})(?:\.([A-Za-z0-9_-]{22}))?$/;
/** The longest time that browsers keep a cookie: 400 days. */
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

/** Reads a key that a client sent. Null if it sent none, or one that no server with this secret can have made. */
export function readDeviceKey(text: string | undefined, secret: Buffer, owner: DeviceOwner): DeviceKey | null {
  const [, random, signature] = SHAPE.exec(text ?? "") ?? [];
  if (random === undefined) return null;
  if (signature === undefined) return { hash: hashOf(random), isSigned: false };
  const isRight = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, owner, random)));
  return isRight ? { hash: hashOf(random), isSigned: true } : null;
}

/** Makes a signed key for a device that has just logged in. */
export function signDeviceKey(secret: Buffer, owner: DeviceOwner): NewDeviceKey {
  const random = randomBytes(24).toString("base64url");
  return { text: `${random}.${sign(secret, owner, random)}`, hash: hashOf(random), isSigned: true };
}

/** Makes an unsigned key for a visitor who asks for a code, whose device we know nothing about yet. */
export function newVisitorKey(): NewDeviceKey {
  const random = randomBytes(24).toString("base64url");
  return { text: random, hash: hashOf(random), isSigned: false };
}

/** Returns the cookie's name. Browsers accept a `__Host-` name only over https, so a sandbox without https uses a plain one. */
function cookieName(url: string, owner: DeviceOwner): string {
  return url.startsWith("https:") ? `__Host-${owner}-device` : `${owner}-device`;
}

/** Returns the text of the Set-Cookie header. */
export function deviceCookie(url: string, owner: DeviceOwner, key: string): string {
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(url, owner)}=${key}; Max-Age=${DEVICE_KEPT_MS / 1_000n}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

/** Finds the key in a request's cookies. */
export function deviceKeyOfCookies(header: string | undefined, url: string, owner: DeviceOwner): string | undefined {
  const name = cookieName(url, owner);
  for (const part of (header ?? "").split(";")) {
    const [key, value] = part.trim().split("=");
    if (key === name) return value;
  }
  return undefined;
}
