import { sessionLogin, supportAttach, auditExport } from "@fairtick/protocol/operator";
import { expect, it } from "vitest";
import { createOperatorClient } from "./index.ts";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** Makes a client that receives `answers` one after another and records what it sent. */
function ask(...answers: (Response | Error)[]) {
  const sent: Sent[] = [];
  const send: typeof fetch = async (url, init = {}) => {
    sent.push({ url: new Request(url).url, init });
    const answer = answers.shift() ?? new Error("nobody answers");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { sent, client: createOperatorClient({ baseUrl: "https://console.example", fetch: send }) };
}

const LOGIN = { login: "finance-1", password: "a secret" };

it("sends JSON with the header that only the console's own page can set", async () => {
  const { sent, client } = ask(Response.json({ code: 200, msg: "OK", data: { next: "secondFactor" } }));
  expect(await client.call(sessionLogin, LOGIN)).toMatchObject({ ok: true, value: { next: "secondFactor" } });
  expect(sent[0]?.url).toBe("https://console.example/operator/session/login");
  expect(sent[0]?.init).toMatchObject({
    method: "POST",
    body: JSON.stringify(LOGIN),
    credentials: "same-origin",
    headers: { "content-type": "application/json", "x-fairtick-console": "1" },
  });
});

it("never repeats a call automatically, because each leaves a row in the audit trail", async () => {
  const { sent, client } = ask();
  expect(await client.call(sessionLogin, LOGIN)).toMatchObject({ ok: false, failure: { kind: "network", code: 0 } });
  expect(await client.download(auditExport, {})).toMatchObject({ failure: { kind: "network" } });
  expect(sent).toHaveLength(2);
});

it("returns a refusal with its name, fields and figures", async () => {
  const data = { error: "CONFLICT", fields: { reason: "is missing" }, params: { by: "finance-2", at: 1 } };
  const { client } = ask(Response.json({ code: 409, msg: "This has changed", data }, { status: 409 }));
  expect(await client.call(sessionLogin, LOGIN)).toEqual({
    ok: false,
    failure: { kind: "refused", code: 409, msg: "This has changed", ...data },
  });
});

it("sends a file as a form, and leaves the content type to the browser", async () => {
  const { sent, client } = ask(Response.json({ code: 200, msg: "OK", data: { fileId: "fil_1" } }));
  await client.upload(supportAttach, { memberId: "usr_1" }, new Blob(["x"]));
  const { body, headers } = sent[0]?.init ?? {};
  expect(headers).toEqual({ "x-fairtick-console": "1" });
  expect(body).toBeInstanceOf(FormData);
  expect([...(body as FormData).keys()]).toEqual(["memberId", "file"]);
});
