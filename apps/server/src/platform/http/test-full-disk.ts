/** Receives uploads in a process whose files may not grow beyond a limit: `sh -c "ulimit -f 8; exec node … folder"`. */
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { receiveUpload } from "./receive-upload.ts";

const [, , folder = ""] = process.argv;
const rules = { folder, bytesMax: 1024 * 1024, idleMsMax: 5_000 };
const server = createServer((request, response) => {
  receiveUpload(request, new Set(), rules)
    .then((verdict) => (verdict.ok ? "taken" : verdict.refusal.error))
    .catch((fault: unknown) => (fault instanceof Error && "code" in fault ? String(fault.code) : "another fault"))
    .then((said) => response.end(JSON.stringify({ said, left: readdirSync(folder).length })))
    .catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
process.stdin.resume();
// End together with the test.
process.stdin.on("end", () => process.exit(0));
