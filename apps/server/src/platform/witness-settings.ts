import { isLoopbackHost, toHex } from "@fairtick/domain";
import { parseVerifierKey } from "@fairtick/transparency";
import * as v from "valibot";
import { hostOf, isOutsideHost, plainHost } from "./outside-host.ts";
import { url as anyUrl } from "./setting-values.ts";

/**
 * A witness: the address where the house asks it, its verifier key, and the address of its board for members. Paths are
 * appended to both addresses, so neither ends with a slash.
 */
export interface WitnessSetting {
  readonly url: string;
  readonly key: string;
  /** Address of its board. If left out, it is `url`, unless that is on this machine while members' browsers are on others. */
  readonly board?: string | undefined;
}

const RULE = 'is to be a list like [{"url":"https://host","key":"name+id+key"}]';

const url = v.pipe(
  anyUrl,
  v.transform((address) => address.replace(/\/+$/, "")),
);

/** Parses WITNESSES. */
export const witnessList = v.pipe(
  v.string(),
  v.parseJson(undefined, RULE),
  v.array(v.object({ url, key: v.pipe(v.string(), v.regex(/^\S{1,500}$/, RULE)), board: v.optional(url) }, RULE), RULE),
);

const MIRROR_RULE = "is to be one or more addresses with commas between them, like https://host/path";

/** The form of CHECKPOINT_MIRRORS. */
export const mirrorList = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").map((address) => address.trim())),
  v.array(v.pipe(v.string(), v.url(MIRROR_RULE), v.regex(/^https?:\/\//, MIRROR_RULE))),
);

/** Returns where members' browsers reach a witness's board; null if they can't. */
export function boardAddress({ url: asked, board }: WitnessSetting, publicUrl: string): string | null {
  if (board !== undefined) return board;
  const isHere = isLoopbackHost(new URL(asked).host) && !isLoopbackHost(new URL(publicUrl).host);
  return isHere ? null : asked;
}

interface Boards {
  readonly witnesses: readonly WitnessSetting[];
  readonly publicUrl: string;
}

/** Returns the origins of all boards, which the app may call besides its own. */
export function boardOrigins({ witnesses, publicUrl }: Boards): string[] {
  const addresses = witnesses.flatMap((each) => boardAddress(each, publicUrl) ?? []);
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}

/** How many witnesses a live deployment needs outside its own hosts. A single one could sign two logs together with the house. */
export const LIVE_WITNESSES_MIN = 2;

/**
 * Counts the witnesses that are surely others than the house and each other: at hosts that aren't the house's own, each at a host
 * of its own and with a public key of its own. A key that a witness at the house's own hosts has is the house's.
 */
export function countStrangers({
  witnesses,
  publicUrl,
  consoleUrl,
  allowedHosts,
}: Boards & { readonly consoleUrl: string | null; readonly allowedHosts: readonly string[] }): number {
  const pages = [publicUrl, consoleUrl].flatMap((address) => (address === null ? [] : [hostOf(address)]));
  const own = [...pages, ...allowedHosts.map(plainHost)];
  const hosted = witnesses.map(({ url: asked, key }) => ({ host: hostOf(asked), key: publicKeyOf(key) }));
  const [outside, inside] = [true, false].map((is) => hosted.filter(({ host }) => isOutsideHost(host, own) === is));
  const taken = new Set(inside?.map(({ key }) => key));
  const strangers = outside?.filter(({ host, key }) => {
    const isNew = !taken.has(host) && !taken.has(key);
    if (isNew) taken.add(host).add(key);
    return isNew;
  });
  return strangers?.length ?? 0;
}

/** Returns the public key of a verifier key, whose name could be any; or the text, if it is none. */
function publicKeyOf(key: string): string {
  const verifier = parseVerifierKey(key);
  return verifier === null ? key : toHex(verifier.publicKey);
}
