import type { Clock, Refusal } from "@fairtick/domain";
import { translate, type LanguageCode } from "@fairtick/i18n/server";
import { statusOf, type Call, type Envelope, type Failure } from "@fairtick/protocol";
import type { FastifyReply } from "fastify";
import { compressQuickly, encodingFor } from "./content-encoding.ts";
import { fieldMessages, messageOf } from "./messages.ts";
import { FileAnswer } from "./route.ts";

/** Shorter answers fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_400;

/** Sends a value in the envelope, or bytes. `call` says whether the answer is compressed. */
export function presentValue(
  reply: FastifyReply,
  value: unknown,
  lang: LanguageCode,
  { compressed }: Pick<Call, "compressed">,
): FastifyReply | Promise<FastifyReply> {
  if (value instanceof FileAnswer)
    return reply
      .type(value.type)
      .header("content-disposition", `attachment; filename="${value.name}"`)
      .send(value.body);
  const envelope: Envelope<unknown> = { code: 200, msg: translate(lang, "common.ok"), data: value ?? null };
  const json = JSON.stringify(envelope);
  void reply.type("application/json; charset=utf-8");
  return compressed === true ? sendCompressed(reply, Buffer.from(json)) : reply.send(json);
}

async function sendCompressed(reply: FastifyReply, body: Buffer): Promise<FastifyReply> {
  const encoding = body.length < COMPRESSED_FROM_BYTES ? null : encodingFor(reply.request.headers["accept-encoding"]);
  if (encoding === null) return reply.send(body);
  const bytes = await compressQuickly(body, encoding);
  return reply.header("content-encoding", encoding).send(bytes);
}

/** Answers a refusal. `status` is given only if the transport, not the rule, decides it. */
export function presentRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  to: { lang: LanguageCode; path: string; clock: Clock },
  status = statusOf(refusal.error),
): FastifyReply {
  const fields = fieldMessages(refusal, to.lang, to.path);
  const data: Failure = {
    error: refusal.error,
    ...(fields && { fields }),
    ...(refusal.params && { params: { ...refusal.params } }),
    ...(refusal.proof && { refusal: { ...refusal.proof, path: [...refusal.proof.path] } }),
  };
  const retryAt = refusal.params?.["retryAt"];
  if (retryAt !== undefined)
    void reply.header("retry-after", Math.max(1, Math.ceil((Number(retryAt) - Number(to.clock.now())) / 1000)));
  const envelope: Envelope<Failure> = { code: status, msg: messageOf(refusal, to.lang, to.path), data };
  return reply.code(status).type("application/json; charset=utf-8").send(JSON.stringify(envelope));
}
