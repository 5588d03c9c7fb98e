import type { CaughtMessage } from "./inbox.ts";
import type { SeededOperator } from "../operators/index.ts";
import type { SeededAccount } from "./seed-accounts.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text of strangers stands in these pages: nothing of it is markup. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 1rem }
h1 { font-size: 1.25rem }
form { display: flex; gap: .5rem; margin-block: 1rem }
input { flex: 1; min-width: 0; font: inherit; padding: .5rem }
button { font: inherit; padding: .5rem 1rem }
article, table { border: 1px solid GrayText; border-radius: .5rem; margin-block: 1rem; padding: .75rem 1rem }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
.code { font: 700 1.5rem/1.5 ui-monospace, monospace; letter-spacing: .15em }
p { white-space: pre-wrap; overflow-wrap: anywhere; margin-block: .5rem 0 }
table { border-collapse: collapse; width: 100% }
th, td { padding: .25rem .5rem; text-align: start; overflow-wrap: anywhere }
`;

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`;
}

export function inboxPage(messages: readonly CaughtMessage[], to: string | undefined): string {
  const items = messages.map(
    ({ at, channel, to, subject, text, code }) => `<article>
<header><strong>${escape(to)}</strong><span>${channel === "email" ? "Mail" : "SMS"}</span><time datetime="${new Date(at).toISOString()}">${new Date(at).toISOString().replace("T", " ").slice(0, 19)} UTC</time></header>
${code === undefined ? "" : `<div class="code">${escape(code)}</div>`}
${subject === "" ? "" : `<strong>${escape(subject)}</strong>`}
<p>${escape(text)}</p>
</article>`,
  );
  const filter = `<form method="get" action="/dev/inbox"><input name="to" aria-label="Address" placeholder="Mail address or phone number" value="${escape(to ?? "")}"><button>Show</button></form>`;
  const empty = "<p>Nothing has been sent yet. Reload this page after asking for a code.</p>";
  return page(
    "Inbox of the sandbox",
    `<h1>Inbox of the sandbox</h1>\n<p>Every mail and SMS that Fairtick sent on this machine, newest first. <a href="/dev/accounts">Accounts</a></p>\n${filter}\n${items.join("\n") || empty}`,
  );
}

export function accountsPage(accounts: readonly SeededAccount[], operators: readonly SeededOperator[]): string {
  const rows = accounts.map(
    ({ account, password, tradePassword, region, note }) =>
      `<tr><td>${escape(account)}</td><td>${escape(password)}</td><td>${escape(tradePassword ?? "not set")}</td><td>${escape(region)}</td><td>${escape(note)}</td></tr>`,
  );
  const behind = operators.map(
    ({ account, password, totpSecret, note }) =>
      `<tr><td>${escape(account)}</td><td>${escape(password)}</td><td><a href="${escape(`otpauth://totp/Fairtick:${account}?secret=${totpSecret}&issuer=Fairtick`)}">${escape(totpSecret)}</a></td><td>${escape(note)}</td></tr>`,
  );
  return page(
    "Accounts of the sandbox",
    `<h1>Accounts of the sandbox</h1>\n<p><a href="/dev/inbox">Inbox</a></p>\n<table><thead><tr><th>Account</th><th>Password</th><th>Transaction password</th><th>Region</th><th>What for</th></tr></thead><tbody>${rows.join("")}</tbody></table>\n<h2>Operators</h2>\n<table><thead><tr><th>Login</th><th>Password</th><th>Secret for the authenticator app</th><th>Role</th></tr></thead><tbody>${behind.join("")}</tbody></table>`,
  );
}
