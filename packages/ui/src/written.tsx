import { useMemo } from "react";
import { parseWritten, type Block, type Line } from "./written-text.ts";
import "./styles/written.css";

/** Renders a written text as elements, so that none of its text can become markup. */
export function Written({ body }: { readonly body: string }) {
  const blocks = useMemo(() => parseWritten(body), [body]);
  return (
    <div className="written">
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "heading":
      return <h2>{block.words}</h2>;
    case "paragraph":
      return (
        <p>
          <LineView line={block.line} />
        </p>
      );
    case "list":
      return (
        <ul>
          {block.items.map((item, at) => (
            <li key={at}>
              <LineView line={item} />
            </li>
          ))}
        </ul>
      );
  }
}

function LineView({ line }: { readonly line: Line }) {
  return line.map(({ words, strong }, at) => (strong ? <strong key={at}>{words}</strong> : words));
}
