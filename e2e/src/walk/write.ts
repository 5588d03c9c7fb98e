/** Writes the pages with what the parts of a walk have seen. The last step of `npm run walk`. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SeenPicture } from "../steps/marks.ts";
import { contactSheet } from "./contact-sheet.ts";
import { messagesPage } from "./messages-page.ts";
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
const pictures = await Promise.all(
  (await seenFiles()).map(
    async (file) => JSON.parse(await readFile(join(WALK_FOLDER, "seen", file), "utf8")) as SeenPicture,
  ),
);
await writeFile(join(WALK_FOLDER, "index.html"), contactSheet(shots, findings));
await writeFile(join(WALK_FOLDER, "messages.html"), messagesPage(pictures));
process.stdout.write(`${shots.length} pictures, ${findings.length} findings: ${join(WALK_FOLDER, "index.html")}\n`);

async function seenFiles(): Promise<readonly string[]> {
  const seen = join(WALK_FOLDER, "seen");
  await mkdir(seen, { recursive: true });
  return (await readdir(seen)).toSorted();
}
process.exitCode = findings.length > 0 ? 1 : 0;
