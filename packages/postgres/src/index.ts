export { checkDatabase, MAJOR_MIN } from "./check-database.ts";
export { migrate } from "./migrate.ts";
export { freePort } from "./postmaster.ts";
export { PostgresProblem } from "./problem.ts";
export { discardServer, startPostgres, type PostgresOptions, type RunningPostgres } from "./start-postgres.ts";
