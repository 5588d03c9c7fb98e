import { accept, type IdSource, type Instant, refuse } from "@fairtick/domain";
import { fileGet, fileUpload } from "@fairtick/protocol";
import { fileView, type OperatorRole } from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { Context } from "../../platform/context.ts";
import { FileAnswer, type Route, route } from "../../platform/http/index.ts";
import { endingOf } from "./read-document.ts";
import {
  type FilePurpose,
  type FileStore,
  findFile,
  formatFileId,
  openFileStore,
  type StoredFile,
} from "./stored-files.ts";

/** Which roles may view files of each purpose. Every view is recorded in the audit trail. */
const MAY_VIEW: Readonly<Record<FilePurpose, readonly OperatorRole[]>> = {
  receipt: ["finance", "admin", "auditor"],
  identity: ["compliance", "auditor"],
  support: ["support", "finance", "compliance", "admin", "auditor"],
};

function answerOf(files: FileStore, file: StoredFile): FileAnswer {
  return new FileAnswer(files.open(file), file.media, `${formatFileId(file.fileId)}.${endingOf(file.media)}`);
}

/** Routes by which members upload files and read their own. */
export function fileRoutes({ databases }: Pick<Context, "databases">, files: FileStore): Route[] {
  return [
    route(fileUpload, ({ input, session, file, now }) =>
      file === null
        ? refuse("FIELD_MISSING", { field: "file" }, { file: "FIELD_MISSING" })
        : files.store(session.memberId, input.purpose, { path: file.path, name: input.name ?? file.name }, now),
    ),
    route(fileGet, async ({ input, session }) => {
      const file = await findFile(databases.reader, input.fileId);
      return file?.memberId === session.memberId ? accept(answerOf(files, file)) : refuse("NOT_FOUND");
    }),
  ];
}

/** Routes by which operators view members' files. There is no other way, and the audit trail names each file viewed. */
export function fileDeskRoutes(files: FileStore): OperatorRoute[] {
  return [
    operatorRoute(fileView, async ({ db, session, input }) => {
      const file = await findFile(db, input.fileId);
      if (file === null) return refuse("NOT_FOUND");
      if (!session.roles.some((role) => MAY_VIEW[file.purpose].includes(role))) return refuse("FORBIDDEN");
      return accept(answerOf(files, file));
    }),
  ];
}

const SWEEP_EVERY_MS = 3_600_000;

export interface RunningFileStore extends FileStore {
  stop(): void;
}

/** Opens the file store and removes unclaimed files each hour. */
export async function startFileStore(
  context: Pick<Context, "config" | "databases" | "clock" | "log">,
  ids: IdSource,
): Promise<RunningFileStore> {
  const files = await openFileStore(context, ids);
  const sweep = (now: Instant) => {
    files.sweep(now).catch((error: unknown) => {
      context.log.warn({ err: error }, "unclaimed files could not be removed; the next try is in an hour");
    });
  };
  const timer = setInterval(() => sweep(context.clock.now()), SWEEP_EVERY_MS);
  return { ...files, stop: () => clearInterval(timer) };
}
