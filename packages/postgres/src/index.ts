export { openServerToBackUp, restoreServer, type ServerBackup } from "./backup.ts";
export { checkDatabase, MAJOR_MIN } from "./check-database.ts";
export { describeSchema, type SchemaDescriptionOptions } from "./describe-schema.ts";
export { drawSchema, findUncommented } from "./draw-schema.ts";
export { checkFreeSpace, giveUpOwnership, noSpace, ownedFolderAt, ownerOf, takeOwnership } from "./folder.ts";
export { freePort } from "./free-port.ts";
export { migrate } from "./migrate.ts";
export { backendOf, isPooled, refuseTransactionPooling } from "./pooling.ts";
export { PostgresProblem } from "./problem.ts";
export { runningUrl } from "./running-url.ts";
export {
  discardServer,
  FREE_BYTES_MIN,
  startPostgres,
  type PostgresOptions,
  type RunningPostgres,
} from "./start-postgres.ts";
export { clientOfPrimary, findPrimary, hostAddresses } from "./hosts.ts";
export type { Catalog } from "./statements/catalog.ts";
export { readAs } from "./statements/column-type.ts";
export {
  openDescriber,
  StatementRefusal,
  type Describer,
  type StatementColumn,
  type StatementDescription,
} from "./statements/describe-statement.ts";
export type { Present } from "./statements/present.ts";
