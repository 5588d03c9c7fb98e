/** Styles of the pages that a walk produces. */
export const STYLE = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif }
body { margin: 0; padding: 16px }
header { position: sticky; top: 0; z-index: 1; background: Canvas; padding: 8px 0; display: flex; gap: 12px; flex-wrap: wrap; align-items: center }
h1 { font-size: 18px; margin: 0 }
figure { margin: 0; width: 240px }
figure img { width: 100%; border: 1px solid GrayText; display: block }
figure.marked img { border: 2px solid #d33 }
.shots { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
table { border-collapse: collapse; width: 100% }
td, th { border: 1px solid GrayText; padding: 4px 6px; text-align: start; vertical-align: top }
code { overflow-wrap: anywhere }
`;

export function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Returns a value as JSON that can be put into a page's script. */
export function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style>
${body}</html>
`;
}
