/** Puts what the parts of a walk have seen on pages. The last step of `npm run walk`. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contactSheet } from "./contact-sheet.ts";
import { type Finding, type Shot, WALK_FOLDER } from "./notes.ts";

const folder = join(WALK_FOLDER, "notes");
await mkdir(folder, { recursive: true });
const shots: Shot[] = [];
const findings: Finding[] = [];
for (const file of (await readdir(folder)).toSorted()) {
  const notes = JSON.parse(await readFile(join(folder, file), "utf8")) as { shots: Shot[]; findings: Finding[] };
  shots.push(...notes.shots);
  findings.push(...notes.findings);
}
await writeFile(join(WALK_FOLDER, "index.html"), contactSheet(shots, findings));
process.stdout.write(`${shots.length} pictures, ${findings.length} findings: ${join(WALK_FOLDER, "index.html")}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
