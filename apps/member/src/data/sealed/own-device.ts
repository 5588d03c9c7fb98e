import { describeDevice } from "@fairtick/domain";
import type { deviceAdd } from "@fairtick/protocol";
import { ask, CallError } from "../transport.ts";
import { dropDevice, keepDevice, readDevice, type KeptDevice } from "./shelf.ts";

/** Thrown if the member already has a device, so that this one needs their transaction password. */
export class DeviceNeedsPassword extends Error {
  constructor() {
    super("a further device needs the transaction password");
    this.name = "DeviceNeedsPassword";
  }
}

/** Thrown if this page can't create keys, because it was opened over plain http or the browser is too old. */
export class NoKeysHere extends Error {
  constructor() {
    super("this page has no WebCrypto");
    this.name = "NoKeysHere";
  }
}

/** A device that is registered with the server. */
export interface OwnDevice extends KeptDevice {
  readonly deviceId: string;
}

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;

/**
 * Returns the member's device in this browser. Creates and registers one if there is none yet.
 *
 * @param tradePassword Required for every device except a member's first.
 * @throws NoKeysHere · ShelfClosed · DeviceNeedsPassword · CallError with what `device/add` refuses
 */
export async function ownDevice(member: string, tradePassword?: string): Promise<OwnDevice> {
  // The type says it always exists, but pages that aren't secure lack it.
  if ((globalThis.crypto as Crypto | undefined)?.subtle === undefined) throw new NoKeysHere();
  const kept = (await readDevice(member)) ?? (await makeDevice(member));
  if (kept.deviceId !== null) return { ...kept, deviceId: kept.deviceId };
  const device = { ...kept, deviceId: await addDevice(kept.publicKey, tradePassword) };
  await keepDevice(device);
  return device;
}

/** Deletes the device in this browser. The next order creates another one. */
export async function forgetOwnDevice(member: string): Promise<void> {
  await dropDevice(member);
}

/** Signs a text with ECDSA over P-256 and SHA-256. Returns raw r and s in base64url. */
export async function signText({ privateKey }: OwnDevice, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, bytes);
  return base64url(new Uint8Array(signature));
}

/** Creates a key and stores it before it is registered, so that a retry after a lost answer uses the same key. */
async function makeDevice(member: string): Promise<KeptDevice> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
  const spki = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
  const device: KeptDevice = { member, privateKey, publicKey: base64url(spki), deviceId: null };
  await keepDevice(device);
  return device;
}

async function addDevice(publicKey: string, tradePassword: string | undefined): Promise<string> {
  const label = describeDevice(navigator.userAgent) || "?";
  try {
    const fields = { publicKey, label, ...(tradePassword !== undefined && { tradePassword }) };
    return (await ask<typeof deviceAdd>("device/add", fields)).deviceId;
  } catch (error) {
    const isMissing = error instanceof CallError && error.failure?.fields?.["tradePassword"] !== undefined;
    if (isMissing && tradePassword === undefined) throw new DeviceNeedsPassword();
    throw error;
  }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
