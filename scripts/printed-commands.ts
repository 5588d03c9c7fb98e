import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");
const SCREENS = "apps/member/src";

/** Programs with which a printed command for verifiers can begin. */
const PROGRAM = /^(?:GO111MODULE=off |npx |npm run |python3 |sha256sum |fairtick )/;

/** A command that a page of the docs or the app prints for people who verify the house. */
export interface PrintedCommand {
  readonly file: string;
  /** As printed, with `https://host` as the house's address. */
  readonly command: string;
}

/** Returns every command that these pages print, in their order. */
export function readPrintedCommands(): readonly PrintedCommand[] {
  const docs = ["docs/verification.md", "README.md", "docs/operations.md"].flatMap((file) => {
    const found = commandsOfMarkdown(readFileSync(join(PROJECT, file), "utf8"));
    // The other two pages also print commands for people who run the house.
    return (file.endsWith("verification.md") ? found : found.filter(isOfVerifier)).map((command) => ({
      file,
      command,
    }));
  });
  return [...docs, ...commandsOfScreens()];
}

const isOfVerifier = (command: string) => command.includes("verifier.tgz");

/** Returns the commands in a page's code blocks and in its running text. */
export function commandsOfMarkdown(text: string): string[] {
  const commands: string[] = [];
  const prose: string[] = [];
  for (const [place, part] of text.split(/^```.*$/m).entries()) {
    if (place % 2 === 1) commands.push(...part.split("\n").filter((line) => PROGRAM.test(line)));
    else prose.push(part);
  }
  for (const [, code = ""] of prose.join("").matchAll(/`([^`]+)`/g)) {
    const line = code.replaceAll(/\s+/g, " ");
    if (PROGRAM.test(line)) commands.push(line);
  }
  return commands.map((command) => command.replaceAll("http://127.0.0.1:8080", "https://host"));
}

/** Returns the commands that the app's screens print, from their sources. */
function commandsOfScreens(): PrintedCommand[] {
  const files = readdirSync(join(PROJECT, SCREENS), { recursive: true, encoding: "utf8" }).toSorted();
  return files
    .filter((file) => file.endsWith(".tsx") && !file.includes(".test."))
    .flatMap((name) => {
      const file = `${SCREENS}/${name}`;
      return commandsOfScreen(readFileSync(join(PROJECT, file), "utf8")).map((command) => ({ file, command }));
    });
}

/** Returns the commands that a screen's source prints. Throws if it makes the command in another way than all others. */
export function commandsOfScreen(source: string): string[] {
  if (!source.includes("verifierCommand(")) return [];
  const printed = [...source.matchAll(/\{(?:fairtick|verifierCommand\(location\.origin\))\}\s+([^<]+?)\s*</g)];
  const uses = source.match(/\{fairtick\}|\{verifierCommand\(/g) ?? [];
  if (printed.length === 0 || printed.length < uses.length) throw new Error("a screen prints a command in a new way");
  return printed.map(([, args = ""]) => {
    const command = args
      .replaceAll("&gt;", ">")
      .replaceAll("{log}", "https://host/log")
      .replaceAll("{location.origin}", "https://host")
      .replaceAll("{fileName(order)}", "receipt.json")
      .replaceAll("{FILE}", "refused.json");
    return `npx --yes https://host/verifier.tgz ${command}`;
  });
}
