import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beaconRoundAt, type Clock, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { BEACON_SCHEME, signRound } from "@fairtick/transparency";
import { type BeaconKey, chainHash } from "./beacon-key.ts";

export interface RunningBeacon {
  /** The beacon's address without a slash at the end. Its paths are drand's: `/info`, `/public/latest`, `/public/<round>`. */
  readonly url: string;
  close(): Promise<void>;
}

/** The chain's name (drand's beacon ID). It is used only in the chain's hash. */
const NAME = "fairtick";
/** How many signed rounds are cached: an hour's. Older ones are signed again, which gives the same bytes. */
const KEPT = 1_200;
const ROUND_PATH = /^\/beacon\/public\/(latest|[1-9][0-9]{0,14})$/;

/** One round in drand's format. */
export interface RoundBody {
  readonly round: number;
  readonly randomness: string;
  readonly signature: string;
}

/**
 * Serves the rounds of the house's own chain in drand's format, none of them before it is due. It has the chain's key and
 * nothing else of the house, and runs in a process of its own beside the market.
 * @param port 0 for any free port
 */
export async function startBeacon(
  key: BeaconKey,
  clock: Clock,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<RunningBeacon> {
  const rounds = createRoundBook(key, clock);
  const info = infoOf(key);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://beacon").pathname;
    if (request.method !== "GET" && request.method !== "HEAD") return answer(response, 405, { error: "GET alone" });
    if (path === "/beacon/info") return answer(response, 200, info);
    const asked = ROUND_PATH.exec(path)?.[1];
    if (asked === undefined) return answer(response, 404, { error: "no such path" });
    const body = asked === "latest" ? rounds.latest() : rounds.read(BigInt(asked));
    if (body === null) return answer(response, 425, { error: "that round is not due yet" });
    return answer(response, 200, body);
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/beacon`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function createRoundBook({ chain, secret }: BeaconKey, clock: Clock) {
  const kept = new Map<bigint, RoundBody>();

  function read(round: bigint): RoundBody | null {
    if (round < 1n || round > beaconRoundAt(chain, clock.now())) return null;
    const known = kept.get(round);
    if (known !== undefined) return known;
    const signature = signRound(nodeHashes, secret, round);
    const randomness = createHash("sha256").update(signature).digest("hex");
    const body = { round: Number(round), randomness, signature: toHex(signature) };
    kept.set(round, body);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return body;
  }

  return { read, latest: () => read(beaconRoundAt(chain, clock.now())) };
}

/** Returns the chain's info. A chain with a single signer has no group, so `groupHash` is the hash of its public key. */
function infoOf({ chain }: BeaconKey): object {
  const group = createHash("sha256").update(chain.publicKey).digest();
  return {
    public_key: toHex(chain.publicKey),
    period: Number(chain.period),
    genesis_time: Number(chain.genesis),
    hash: chainHash(chain, group, NAME),
    groupHash: group.toString("hex"),
    schemeID: BEACON_SCHEME,
    metadata: { beaconID: NAME },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
  });
  response.end(JSON.stringify(body));
}
