import { runRole } from "./run-role.ts";
import { startServerRole } from "./server-role.ts";

await runRole("server", startServerRole);
