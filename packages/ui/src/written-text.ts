/** The marks of the server's written texts: lines `## heading`, `- item`, paragraphs; `**strong**` inside a line. */

export interface Run {
  readonly words: string;
  readonly strong: boolean;
}
export type Line = readonly Run[];
export type Block =
  | { readonly kind: "heading"; readonly words: string }
  | { readonly kind: "paragraph"; readonly line: Line }
  | { readonly kind: "list"; readonly items: readonly Line[] };

/** Every line of the body lands in exactly one block. Marks it does not know stay the words they are. */
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

/** What stands between two `**` is strong; a lone `**` is no mark. */
function parseLine(line: string): Line {
  const parts = line.split("**");
  const closed = parts.length % 2 === 1 ? parts : [...parts.slice(0, -2), parts.slice(-2).join("**")];
  return closed.map((words, at) => ({ words, strong: at % 2 === 1 })).filter(({ words }) => words !== "");
}
