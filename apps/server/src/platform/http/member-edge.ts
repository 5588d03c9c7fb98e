/** The members' edge: forms, a token in a header and a rate limit for each member. Stations: `answer-call.ts`. */
import { languageOfHeader, type LanguageCode } from "@fairtick/i18n";
import type { MemberCall } from "@fairtick/protocol";
import type { FastifyRequest } from "fastify";
import { answerCall, verdictOf } from "./answer-call.ts";
import type { Edge, EdgeParts } from "./call-edge.ts";
import type { Deadlines } from "./deadlines.ts";
import type { DeviceKeys } from "./device-keys.ts";
import { formCodec } from "./form.ts";
import type { Route } from "./route.ts";
import { TOKEN_LENGTH_MAX, type Authenticate, type Session } from "./session.ts";

export type MemberEdge = Edge<MemberCall, Session, null>;

/** What only the members' edge needs. */
export interface MemberParts extends EdgeParts {
  readonly deviceKeys: DeviceKeys;
  readonly authenticate: Authenticate;
  readonly deadlines: Deadlines;
  readonly checkAnswers: boolean;
}

export function languageOfRequest(request: FastifyRequest): LanguageCode {
  const header = request.headers["lang"];
  return languageOfHeader(typeof header === "string" ? header : undefined);
}

export function createMemberEdge({ authenticate, ...parts }: MemberParts): MemberEdge {
  return {
    ...parts,
    prefix: "client",
    codec: formCodec,
    languageOf: languageOfRequest,
    // Requests from other origins were refused before any station.
    isOwn: () => true,
    tokenOf({ headers }) {
      const token = headers["exchange2508token"];
      return typeof token === "string" && token !== "" ? token : undefined;
    },
    openSession: (token, from) => (token.length > TOKEN_LENGTH_MAX ? null : authenticate(token, from)),
    needsSession: ({ access }) => access === "member",
    authorize: ({ limit }, { memberId }) => parts.limits.countMember(limit, memberId),
    accountOf: ({ memberId }) => String(memberId),
  };
}

/** Answers a member's call: session, policy, message, fields, then the handler. */
export function answerMember({ call, handler }: Route, edge: MemberEdge) {
  return answerCall(call, edge, async (passage) => {
    const admitted = await passage.admit(null);
    if (!admitted.ok) return admitted;
    const read = await passage.fields();
    if (!read.ok) return read;
    const answer: unknown = await handler({
      ...read.value,
      ...passage.from,
      session: passage.session,
      lang: passage.lang,
      keepDeviceKey: (key) => passage.keepDeviceKey(key),
      noteNewDevice: () => passage.noteNewDevice(),
    });
    return verdictOf(answer);
  });
}
