import { connectionUrl, DATABASE, OWNER } from "./cluster.ts";
import { prepareFolder } from "./folder.ts";
import { pidFile } from "./postmaster.ts";
import { isAlive } from "./processes.ts";
import { unprivilegedUser } from "./system-user.ts";

/** Index of the line in `postmaster.pid` that has the port. */
const PORT_LINE = 3;

/** Returns the address of the product's database in the server that runs from this folder; null if none is running. */
export function runningUrl(folder: string): string | null {
  const prepared = prepareFolder(folder, unprivilegedUser(), () => undefined);
  const lines = pidFile(prepared);
  const port = Number(lines?.[PORT_LINE]);
  if (!isAlive(Number(lines?.[0])) || !Number.isInteger(port) || port <= 0) return null;
  return connectionUrl(prepared, OWNER, port, DATABASE);
}
