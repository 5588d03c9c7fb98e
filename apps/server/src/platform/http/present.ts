import type { Clock, Refusal } from "@fairtick/domain";
import { translate, type LanguageCode } from "@fairtick/i18n/server";
import { statusOf, type Envelope, type Failure } from "@fairtick/protocol";
import type { FastifyReply } from "fastify";
import { fieldMessages, messageOf } from "./messages.ts";
import { FileAnswer } from "./route.ts";

/** Sends a value in the envelope, or bytes. */
export function presentValue(reply: FastifyReply, value: unknown, lang: LanguageCode): FastifyReply {
  if (value instanceof FileAnswer)
    return reply
      .type(value.type)
      .header("content-disposition", `attachment; filename="${value.name}"`)
      .send(value.body);
  const envelope: Envelope<unknown> = { code: 200, msg: translate(lang, "common.ok"), data: value ?? null };
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(envelope));
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
