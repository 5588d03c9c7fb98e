import { isLoopbackHost } from "@fairtick/domain";
import * as v from "valibot";
import { url } from "./setting-values.ts";

/** A witness: where the house asks it, its verifier key, and where members reach its board. */
export interface WitnessSetting {
  readonly url: string;
  readonly key: string;
  /** Left out: at `url`, unless that is this machine's own and members' browsers run on others. */
  readonly board?: string | undefined;
}

const RULE = 'is to be a list like [{"url":"https://host","key":"name+id+key"}]';

/** The form of WITNESSES. */
export const witnessList = v.pipe(
  v.string(),
  v.parseJson(undefined, RULE),
  v.array(v.object({ url, key: v.pipe(v.string(), v.regex(/^\S{1,500}$/, RULE)), board: v.optional(url) }, RULE), RULE),
);

/** Where members' browsers reach a witness's board; null where they can't. */
export function boardAddress({ url: asked, board }: WitnessSetting, publicUrl: string): string | null {
  if (board !== undefined) return board.replace(/\/+$/, "");
  const isHere = isLoopbackHost(new URL(asked).host) && !isLoopbackHost(new URL(publicUrl).host);
  return isHere ? null : asked.replace(/\/+$/, "");
}

interface Boards {
  readonly witnesses: readonly WitnessSetting[];
  readonly publicUrl: string;
}

/** Origins of all boards, which the app may call besides its own. */
export function boardOrigins({ witnesses, publicUrl }: Boards): string[] {
  const addresses = witnesses.flatMap((each) => boardAddress(each, publicUrl) ?? []);
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}

/** How many witnesses a live deployment has outside its own hosts: alone, one could sign two logs with the house. */
export const LIVE_WITNESSES_MIN = 2;

/**
 * How many witnesses are asked at hosts that are not the house's own: neither this machine nor a name under which members or
 * operators reach it.
 */
export function countStrangers({
  witnesses,
  publicUrl,
  consoleUrl,
  allowedHosts,
}: Boards & { readonly consoleUrl: string | null; readonly allowedHosts: readonly string[] }): number {
  const own = new Set(
    [publicUrl, consoleUrl].flatMap((address) => (address === null ? [] : [new URL(address).hostname])),
  );
  for (const host of allowedHosts) own.add(host.toLowerCase());
  const hosts = witnesses.map(({ url: asked }) => new URL(asked)).filter(({ host }) => !isLoopbackHost(host));
  return new Set(hosts.map(({ hostname }) => hostname).filter((hostname) => !own.has(hostname))).size;
}
