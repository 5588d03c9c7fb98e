import { once } from "node:events";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { nodeHashes } from "@fairtick/domain/node";
import {
  ED25519_TYPE,
  formatVerifierKey,
  isKeyName,
  parseVerifierKey,
  type SignerKey,
  type VerifierKey,
} from "../keys.ts";
import { openAcceptanceKeys } from "./acceptance-keys.ts";
import { openWitnessBoard, type WitnessBoard } from "./witness-board.ts";
import { createWitnessServer } from "./witness-server.ts";
import { openWitnessStore } from "./witness-store.ts";

export const WITNESS_USAGE = `Usage:
  fairtick witness --folder <folder> --log <verifier key> [--log <verifier key>]… [--acceptance <verifier key>]… [--name <name>] [--host <address>] [--port <number>] [--allowed-host <name>]…

Cosigns the checkpoints of the logs whose keys are given, each only if it grew out of the one before, and keeps in its folder
its own key (made at the first start, under --name) and what it cosigned last. The log's operator needs its address and the
verifier key that it prints: WITNESSES='[{"url":"…","key":"…"}]'. Behind a proxy that passes on its own name, give that name
as --allowed-host: a request under any other name is refused. With --acceptance it keeps a board: members post reveals of orders
that one of these keys accepted, or one that the log rotated to, and anybody reads them at /board/0.
`;

/** A running witness: its address, its verifier key, and how to stop it. */
export interface RunningWitness {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

/** Starts a witness from its arguments. Null if they ask for help or lack the folder or a log; throws for bad ones. */
export async function startWitness(args: readonly string[]): Promise<RunningWitness | null> {
  const wish = readWish(args);
  if (wish === null) return null;
  const { folder, logKeys, allowedHosts, host, port } = wish;
  const store = await openWitnessStore(
    folder,
    wish.name,
    logKeys.map((key) => key.name),
  );
  const board = wish.acceptanceKeys.length === 0 ? null : await openBoard(wish, store.key);
  const server = createWitnessServer({
    hashes: nodeHashes,
    store,
    ...(board !== null && { board }),
    logKeys,
    allowedHosts,
    seconds: () => BigInt(Math.floor(Date.now() / 1000)),
    onRefusal: (origin, status) => {
      process.stderr.write(
        `REFUSED ${origin}: ${status === 422 ? "it did not grow out of" : "it forked from"} what was cosigned\n`,
      );
    },
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const own = address !== null && typeof address === "object" ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${own}`,
    key: formatVerifierKey(store.key.verifier),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      await board?.close();
    },
  };
}

async function openBoard(
  { folder, logKeys, acceptanceKeys: given }: WitnessWish,
  key: SignerKey,
): Promise<WitnessBoard> {
  const acceptanceKeys = await openAcceptanceKeys({ hashes: nodeHashes, folder, logKeys, given });
  return openWitnessBoard({ hashes: nodeHashes, folder, key, acceptanceKeys, now: () => BigInt(Date.now()) });
}

interface WitnessWish {
  readonly folder: string;
  /** Name for the witness's key if it has none yet. */
  readonly name: string;
  readonly logKeys: readonly VerifierKey[];
  readonly acceptanceKeys: readonly VerifierKey[];
  readonly allowedHosts: readonly string[];
  readonly host: string;
  readonly port: number;
}

/** Parses the arguments. Null if they ask for help or lack the folder or a log; throws for bad ones. */
function readWish(args: readonly string[]): WitnessWish | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: "string" },
      log: { type: "string", multiple: true },
      acceptance: { type: "string", multiple: true, default: [] },
      name: { type: "string", default: "witness" },
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: "0" },
      "allowed-host": { type: "string", multiple: true, default: [] },
      help: { type: "boolean" },
    },
  });
  const { folder, log, name, host, port } = values;
  if (values.help === true || folder === undefined || log === undefined) return null;
  if (!isKeyName(name)) throw new Error(`--name ${name} is no name of a key`);
  if (!/^[0-9]{1,5}$/.test(port)) throw new Error(`--port ${port} is no port`);
  return {
    folder: resolve(folder),
    name,
    logKeys: log.map((text) => keyOf("--log", text)),
    acceptanceKeys: values.acceptance.map((text) => keyOf("--acceptance", text)),
    allowedHosts: values["allowed-host"].map((allowed) => allowed.toLowerCase()),
    host,
    port: Number(port),
  };
}

function keyOf(option: "--log" | "--acceptance", text: string): VerifierKey {
  const key = parseVerifierKey(text);
  const what = option === "--log" ? "a log" : "acceptances";
  if (key?.type !== ED25519_TYPE) throw new Error(`${option} ${text} is no verifier key of ${what}`);
  return key;
}
