import { devPage, escapeHtml } from "../../platform/http/dev-page.ts";
import type { CaughtMessage } from "./inbox.ts";
import type { SeededOperator } from "../operators/index.ts";
import type { SeededAccount } from "./seed-accounts.ts";

export function inboxPage(messages: readonly CaughtMessage[], to: string | undefined): string {
  const items = messages.map(
    ({ at, channel, to, subject, text, code }) => `<article>
<header><strong>${escapeHtml(to)}</strong><span>${channel === "email" ? "Mail" : "SMS"}</span><time datetime="${new Date(at).toISOString()}">${new Date(at).toISOString().replace("T", " ").slice(0, 19)} UTC</time></header>
${code === undefined ? "" : `<div class="code">${escapeHtml(code)}</div>`}
${subject === "" ? "" : `<strong>${escapeHtml(subject)}</strong>`}
<p>${escapeHtml(text)}</p>
</article>`,
  );
  const filter = `<form class="line" method="get" action="/dev/inbox"><input name="to" aria-label="Address" placeholder="Mail address or phone number" value="${escapeHtml(to ?? "")}"><button>Show</button></form>`;
  const empty = "<p>Nothing has been sent yet. Reload this page after asking for a code.</p>";
  return devPage(
    "Inbox of the sandbox",
    `<h1>Inbox of the sandbox</h1>\n<p>Every mail and SMS that Fairtick sent on this machine, newest first. <a href="/dev/accounts">Accounts</a></p>\n${filter}\n${items.join("\n") || empty}`,
  );
}

export function accountsPage(accounts: readonly SeededAccount[], operators: readonly SeededOperator[]): string {
  const rows = accounts.map(
    ({ account, password, tradePassword, region, note }) =>
      `<tr><td>${escapeHtml(account)}</td><td>${escapeHtml(password)}</td><td>${escapeHtml(tradePassword ?? "not set")}</td><td>${escapeHtml(region)}</td><td>${escapeHtml(note)}</td></tr>`,
  );
  const behind = operators.map(
    ({ account, password, totpSecret, note }) =>
      `<tr><td>${escapeHtml(account)}</td><td>${escapeHtml(password)}</td><td><a href="${escapeHtml(`otpauth://totp/Fairtick:${account}?secret=${totpSecret}&issuer=Fairtick`)}">${escapeHtml(totpSecret)}</a></td><td>${escapeHtml(note)}</td></tr>`,
  );
  return devPage(
    "Accounts of the sandbox",
    `<h1>Accounts of the sandbox</h1>\n<p><a href="/dev/inbox">Inbox</a></p>\n<table><thead><tr><th>Account</th><th>Password</th><th>Transaction password</th><th>Region</th><th>What for</th></tr></thead><tbody>${rows.join("")}</tbody></table>\n<h2>Operators</h2>\n<table><thead><tr><th>Login</th><th>Password</th><th>Secret for the authenticator app</th><th>Role</th></tr></thead><tbody>${behind.join("")}</tbody></table>`,
  );
}
