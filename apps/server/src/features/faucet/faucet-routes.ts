import { formatUsdt, parseUsdt } from "@fairtick/domain";
import type { FastifyInstance } from "fastify";
import type { TestChainSettings } from "../../platform/chain-settings.ts";
import { devPage, escapeHtml, sendDevPage } from "../../platform/http/dev-page.ts";
import type { Log } from "../../platform/log.ts";
import { FAUCET_MAX, sendTestUsdt } from "./send-test-usdt.ts";

interface Sent {
  readonly to: string;
  readonly amount: string;
  readonly result: { readonly txHash: string } | { readonly problem: string };
}

/** Adds the routes `/dev/chain` and `/dev/faucet`. Must not be called in a `live` deployment, which doesn't have them. */
export function addFaucetRoutes(app: FastifyInstance, chain: TestChainSettings, log: Log): void {
  app.get("/dev/chain", (_request, reply) => reply.header("cache-control", "no-store").send(chain));
  app.get("/dev/faucet", (request, reply) => {
    const { to } = request.query as { to?: unknown };
    return sendDevPage(reply, faucetPage(chain, typeof to === "string" ? to : "", null));
  });
  app.post("/dev/faucet", async (request, reply) => {
    // The HTTP layer passes bodies on as bytes.
    const fields = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "");
    const to = (fields.get("to") ?? "").trim();
    const amount = (fields.get("amount") ?? "").trim();
    const result = await send(chain, to, amount, log);
    return sendDevPage(reply.code("problem" in result ? 422 : 200), faucetPage(chain, to, { to, amount, result }));
  });
}

async function send(chain: TestChainSettings, to: string, amount: string, log: Log): Promise<Sent["result"]> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) return { problem: "That is no address: 0x and 40 hexadecimal digits." };
  const units = parseUsdt(amount);
  if (units === null || units <= 0n || units > FAUCET_MAX) {
    return { problem: `An amount from 0.000001 to ${formatUsdt(FAUCET_MAX)} is sent at once.` };
  }
  try {
    return { txHash: await sendTestUsdt(chain, to.toLowerCase(), units) };
  } catch (error) {
    log.warn({ err: error }, "the faucet could not send its transaction");
    return { problem: "The test chain did not take the transaction. Try again." };
  }
}

function faucetPage(chain: TestChainSettings, to: string, sent: Sent | null): string {
  return devPage(
    "Faucet of the sandbox",
    `<h1>Faucet of the sandbox</h1>
<p>Sends test USDT from a stranger's wallet to any address of the test chain, by a real transaction. It is worth nothing.</p>
${sent === null ? "" : outcome(sent)}
<form method="post" action="/dev/faucet">
<label>Address <input name="to" required value="${escapeHtml(to)}" autocomplete="off" spellcheck="false"></label>
<label>USDT <input name="amount" required inputmode="decimal" value="${escapeHtml(sent?.amount ?? "250")}"></label>
<button>Send</button>
</form>
<dl>
<dt>Node</dt><dd>${escapeHtml(chain.rpc)}</dd>
<dt>Chain</dt><dd>${chain.chainId}</dd>
<dt>Test USDT</dt><dd>${escapeHtml(chain.token)}</dd>
<dt>Stranger</dt><dd>${escapeHtml(chain.wallet.address)}</dd>
</dl>
<p><a href="/dev/inbox">Inbox</a> · <a href="/dev/accounts">Accounts</a></p>`,
  );
}

function outcome({ to, amount, result }: Sent): string {
  return "problem" in result
    ? `<p role="alert">${escapeHtml(result.problem)}</p>`
    : `<p role="status">Sent ${escapeHtml(amount)} USDT to ${escapeHtml(to)} in transaction ${escapeHtml(result.txHash)}.</p>`;
}
