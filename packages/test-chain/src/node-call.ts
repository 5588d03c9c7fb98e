/** An error with which the node answered, with the node's message. */
export class NodeRefusal extends Error {
  override readonly name = "NodeRefusal";
}

const ANSWER_MS_MAX = 5_000;

/** Makes a JSON-RPC call. Throws `NodeRefusal` for the node's own errors, and another error if it can't be reached. */
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

/** Makes a call like `callNode`, for methods that return text: hashes, quantities, data. */
export async function callNodeForText(url: string, method: string, params: readonly unknown[] = []): Promise<string> {
  const result = await callNode(url, method, params);
  if (typeof result !== "string") throw new NodeRefusal(`${method} didn't return text`);
  return result;
}
