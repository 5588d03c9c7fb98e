import { resolve } from "node:path";
import { type RunningFileStore, startFileStore } from "../features/files/index.ts";
import { type Inbox, openMessenger } from "../features/inbox/index.ts";
import { type LogFiles, openBatchSigner, openLogFiles, openLogKeyFiles } from "../features/log/index.ts";
import { createAcceptanceSwitch, type OrderNode, takeOrderNode } from "../features/orders/index.ts";
import { readRelease, type Release, readVerifier, type VerifierTarball } from "../features/release/index.ts";
import { openRegionBook } from "../features/regions/index.ts";
import { openIds, type SessionContext } from "../features/sessions/index.ts";
import { openTradingConfigs } from "../features/trading-config/index.ts";
import { openSignerDoor, type SignerDoor } from "../features/signer/index.ts";
import type { AcceptanceSigner } from "../platform/acceptance-signer.ts";
import { publicLogFolder } from "../platform/config.ts";
import type { Process } from "../platform/context.ts";

/** Folder of the built member app. */
export const MEMBER_APP = resolve(import.meta.dirname, "../../../member/dist");

/** Parts that several roles of one process share. */
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** The context of features about members, and the inbox that catches their mails in a sandbox. */
export interface Members {
  readonly context: Process & SessionContext;
  readonly inbox: Inbox | null;
}

/** Opens the parts that every role needs. The others are opened by the first role that uses them, and closed with the process. */
export async function openParts(process_: Process) {
  const { config, clock, shutdown } = process_;
  const configs = await openTradingConfigs(process_);
  shutdown.add("trading configurations", () => configs.close());
  const ids = await openIds(process_);
  const verifier = once((): VerifierTarball | null => readVerifier());
  return {
    process: process_,
    configs,
    ids,
    acceptance: createAcceptanceSwitch(clock),
    regions: openRegionBook(process_),
    signer: once((): SignerDoor | null => (config.signer === null ? null : openSignerDoor(config.signer))),
    verifier,
    release: once((): Release => readRelease(MEMBER_APP, verifier()?.sha256 ?? null)),
    batchSigner: once((): AcceptanceSigner => openBatchSigner(config, originOfLog(process_))),
    node: once((): Promise<OrderNode> => takeOrderNode(process_)),
    logFiles: once((): Promise<LogFiles> => openLogFiles(publicLogFolder(config))),
    files: once(async (): Promise<RunningFileStore> => {
      const files = await startFileStore(process_, ids);
      shutdown.add("files", () => files.stop());
      return files;
    }),
    members: once(async (): Promise<Members> => {
      const mail = await openMessenger(process_);
      shutdown.add("messenger", () => mail.close());
      return { context: { ...process_, ids, messenger: mail.messenger }, inbox: mail.inbox };
    }),
  };
}

/** Returns the log's name: that of its first key if the log is written here, otherwise the one in the settings. */
function originOfLog({ config }: Process): string {
  const [first] = config.roles.has("log") ? openLogKeyFiles(config.dataDir, config.logOrigin) : [];
  return first?.verifier.name ?? config.logOrigin;
}

/** Returns a function that runs `open` at the first call and returns its result at every call. */
function once<Value>(open: () => Value): () => Value {
  let opened: { readonly value: Value } | undefined;
  return () => (opened ??= { value: open() }).value;
}
