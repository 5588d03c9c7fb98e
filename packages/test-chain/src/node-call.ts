/** The node answered with an error; its message is what it said. */
export class NodeRefusal extends Error {
  override readonly name = "NodeRefusal";
}

const ANSWER_MS_MAX = 5_000;

/** One JSON-RPC call of a node. Throws `NodeRefusal` for its own errors, anything else when it cannot be reached. */
export async function callNode(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (answer.error !== undefined) throw new NodeRefusal(`${method}: ${answer.error.message ?? "an error"}`);
  return answer.result;
}

/** As `callNode`, for methods that answer text: hashes, quantities, data. */
export async function callNodeForText(url: string, method: string, params: readonly unknown[] = []): Promise<string> {
  const result = await callNode(url, method, params);
  if (typeof result !== "string") throw new NodeRefusal(`${method} answered no text`);
  return result;
}
