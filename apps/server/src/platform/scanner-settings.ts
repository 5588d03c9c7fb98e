import * as v from "valibot";

/** The address of ClamAV's daemon: its socket's path, or host and port. */
export type ScannerAddress = { readonly path: string } | { readonly host: string; readonly port: number };

export interface ScannerSettings {
  /** The scanner's address; null if uploads aren't scanned. */
  readonly address: ScannerAddress | null;
  /** Why a live deployment has no scanner, in its operator's words; null if it has one. */
  readonly exception: string | null;
}

const ADDRESS = /^(?:(?<path>\/\S{1,100})|(?<host>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]+\]):(?<port>[0-9]{1,5}))$/;

export const scannerEnvironment = {
  CLAMAV_SOCKET: v.optional(
    v.pipe(v.string(), v.regex(ADDRESS, "is to be the path of clamd's socket (/run/clamav/clamd.ctl) or host:port")),
  ),
  CLAMAV_EXCEPTION: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(10, "is to be the reason for going without a scanner, in 10 characters or more"),
    ),
  ),
};

export function scannerOf(given: {
  readonly CLAMAV_SOCKET?: string | undefined;
  readonly CLAMAV_EXCEPTION?: string | undefined;
}): ScannerSettings {
  const { path, host, port } = ADDRESS.exec(given.CLAMAV_SOCKET ?? "")?.groups ?? {};
  const exception = given.CLAMAV_EXCEPTION ?? null;
  if (path !== undefined) return { address: { path }, exception };
  if (host === undefined) return { address: null, exception };
  return { address: { host: host.replace(/^\[|\]$/g, ""), port: Number(port) }, exception };
}

/** Returns why these settings are unfit for live; null if they are fit. */
export function missingScanner({ address, exception }: ScannerSettings): string | null {
  return address === null && exception === null
    ? "CLAMAV_SOCKET is not set: nobody would look for viruses in uploads (CLAMAV_EXCEPTION takes a reason to go without)"
    : null;
}
