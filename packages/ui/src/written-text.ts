/**
 * The markup of the server's written texts: lines with `## heading` or `- item`, paragraphs, and `**strong**` within a
 * line.
 */

export interface Run {
  readonly words: string;
  readonly strong: boolean;
}
export type Line = readonly Run[];
export type Block =
  | { readonly kind: "heading"; readonly words: string }
  | { readonly kind: "paragraph"; readonly line: Line }
  | { readonly kind: "list"; readonly items: readonly Line[] };

/** Parses a body so that every line ends up in exactly one block. Unknown markup stays as text. */
export function parseWritten(body: string): Block[] {
  const blocks: Block[] = [];
  let items: Line[] | null = null;
  for (const line of body.split("\n").map((raw) => raw.trim())) {
    if (line.startsWith("- ")) {
      if (items === null) {
        items = [];
        blocks.push({ kind: "list", items });
      }
      items.push(parseLine(line.slice(2)));
      continue;
    }
    items = null;
    if (line === "") continue;
    if (line.startsWith("## ")) blocks.push({ kind: "heading", words: line.slice(3) });
    else blocks.push({ kind: "paragraph", line: parseLine(line) });
  }
  return blocks;
}

/** Parses a line. Text between two `**` is strong; a lone `**` is text. */
function parseLine(line: string): Line {
  const parts = line.split("**");
  const closed = parts.length % 2 === 1 ? parts : [...parts.slice(0, -2), parts.slice(-2).join("**")];
  return closed.map((words, at) => ({ words, strong: at % 2 === 1 })).filter(({ words }) => words !== "");
}
