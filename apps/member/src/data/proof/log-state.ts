import {
  formatCheckpoint,
  formatNote,
  fromBase64,
  hashFromBase64,
  openCheckpoint,
  parseNote,
  toBase64,
  type VerifierPolicy,
} from "@fairtick/transparency";
import { concatBytes, equalBytes } from "@fairtick/domain";
import type { Search } from "../../shared/navigation.tsx";

/**
 * A checkpoint as one device shows it to another: what the log signed with its own signature, without the witnesses',
 * so that the QR code stays small enough for a camera. It doesn't identify the device.
 */

/** The screen that such a link opens. */
export const COMPARE_PATH = "/pages/fairness/index" as const;

/** Returns a link that opens the comparison, with its data behind the `#`; null if the log's signature isn't valid. */
export function stateLink(origin: string, note: string, policy: VerifierPolicy): string | null {
  const opened = openCheckpoint(note, policy);
  const signatures = parseNote(note)?.signatures ?? [];
  const byLog = signatures.find(({ keyId }) => policy.logKeys.some((key) => equalBytes(key.id, keyId)));
  if (!opened.ok || byLog === undefined) return null;
  const { size, root, origin: log } = opened.checkpoint;
  // A log signs under its own name (c2sp.org/tlog-checkpoint).
  if (byLog.name !== log) return null;
  const search = new URLSearchParams({
    size: String(size),
    root: urlSafe(toBase64(root)),
    sig: urlSafe(toBase64(concatBytes(byLog.keyId, byLog.signature))),
    log,
  });
  return `${origin}/#${COMPARE_PATH}?${search.toString()}`;
}

/** Returns the signed note in a link; null if the link is truncated or isn't such a link. */
export function readState({ size, root, sig, log }: Search): string | null {
  const whole = size !== undefined && /^[1-9][0-9]{0,14}$/.test(size) ? Number(size) : null;
  const hash = hashFromBase64(plain(root ?? ""));
  const signed = fromBase64(plain(sig ?? ""));
  if (whole === null || hash === null || signed === null || signed.length !== 68) return null;
  if (log === undefined || !/^[\w.:/-]{1,200}$/.test(log)) return null;
  const text = formatCheckpoint({ origin: log, size: whole, root: hash });
  return formatNote({
    text,
    signatures: [{ name: log, keyId: signed.subarray(0, 4), signature: signed.subarray(4) }],
  });
}

/** Parses typed or pasted text in the same way: the whole link, or the part after its question mark. */
export function readPastedState(text: string): string | null {
  const search = new URLSearchParams(text.trim().replace(/^.*\?/s, ""));
  return readState(Object.fromEntries(search));
}

function urlSafe(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function plain(text: string): string {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, "=");
}
