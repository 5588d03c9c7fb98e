import type { FastifyReply } from "fastify";
import { pagePolicy } from "./security-headers.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for the sandbox's pages, which may show text from strangers. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 1rem }
h1 { font-size: 1.25rem }
form { display: grid; gap: .75rem; margin-block: 1rem }
form.line { display: flex; gap: .5rem }
form.line input { flex: 1 }
label { display: grid; gap: .25rem }
input { min-width: 0; font: inherit; padding: .5rem }
button { font: inherit; padding: .5rem 1rem; justify-self: start }
p, dd, td, th { overflow-wrap: anywhere }
article { border: 1px solid GrayText; border-radius: .5rem; margin-block: 1rem; padding: .75rem 1rem }
article header { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
article p { white-space: pre-wrap; margin-block: .5rem 0 }
.code { font: 700 1.5rem/1.5 ui-monospace, monospace; letter-spacing: .15em }
table { border-collapse: collapse; width: 100%; margin-block: 1rem }
th, td { padding: .25rem .5rem; text-align: start; border-bottom: 1px solid GrayText }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dd { margin: 0 }
`;

/** Makes a plain page of the sandbox without scripts. `content` is markup. */
export function devPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`;
}

/** Sends such a page with headers against caching and scripts. */
export function sendDevPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header("cache-control", "no-store")
    .header("content-security-policy", pagePolicy(html))
    .type("text/html; charset=utf-8")
    .send(html);
}
