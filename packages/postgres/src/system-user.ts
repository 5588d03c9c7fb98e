import { spawnSync } from "node:child_process";
import { PostgresProblem } from "./problem.ts";

/** The user who runs PostgreSQL, which refuses to run as root. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const USER = "postgres";

/**
 * Returns the user to run PostgreSQL if this process is root, and creates that user if it is missing. Undefined for any
 * other user, who runs PostgreSQL as themselves.
 */
export function unprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found) return found;
  const made = spawnSync(
    "useradd",
    ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", USER],
    {
      encoding: "utf8",
    },
  );
  const user = lookUp();
  if (user) return user;
  const why = (made.error?.message ?? made.stderr).trim();
  throw new PostgresProblem(
    `PostgreSQL does not run as root, and the user "${USER}" could not be made for it (${why}). ` +
      `Make that user, start as another user than root, or set DATABASE_URL.`,
  );
}

function lookUp(): SystemUser | undefined {
  const uid = idOf("-u");
  const gid = idOf("-g");
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function idOf(flag: "-u" | "-g"): number | undefined {
  const result = spawnSync("id", [flag, USER], { encoding: "utf8" });
  return result.status === 0 ? Number(result.stdout) : undefined;
}

/** Returns whether `user` can enter this folder or run this file, by running `test` as that user. */
export function reachableFor(user: SystemUser, path: string): boolean {
  return spawnSync("test", ["-x", path], { uid: user.uid, gid: user.gid, cwd: "/" }).status === 0;
}
