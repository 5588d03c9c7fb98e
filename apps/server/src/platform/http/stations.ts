/** The stations of a call, in the order they are passed. */
import { accept, refuse, type Clock, type Refusal, type Verdict } from "@fairtick/domain";
import { languageOfHeader, type LanguageCode } from "@fairtick/i18n";
import { validateInput, type Call } from "@fairtick/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../log.ts";
import { accountIn, type SecurityWatch } from "../security-events.ts";
import { safeParse } from "valibot";
import type { Deadlines } from "./deadlines.ts";
import type { DeviceKeys } from "./device-keys.ts";
import { refusalOfFault } from "./faults.ts";
import { parseForm } from "./form.ts";
import { presentRefusal, presentValue } from "./present.ts";
import type { RateLimits } from "./rate-limits.ts";
import { discardUpload, receiveUpload, type UploadedForm, type UploadRules } from "./receive-upload.ts";
import type { CallRequest, Route } from "./route.ts";
import { TOKEN_LENGTH_MAX, type Authenticate, type SeenFrom, type Session } from "./session.ts";

export interface Stations {
  readonly security: SecurityWatch;
  readonly deviceKeys: DeviceKeys;
  readonly authenticate: Authenticate;
  readonly limits: RateLimits;
  readonly deadlines: Deadlines;
  readonly uploads: UploadRules;
  readonly clock: Clock;
  readonly log: Log;
  /** Holds every answer against its schema: for tests, since it costs time. */
  readonly checkAnswers: boolean;
}

export function languageOfRequest(request: FastifyRequest): LanguageCode {
  const header = request.headers["lang"];
  return languageOfHeader(typeof header === "string" ? header : undefined);
}

/** Limit, authenticate, authorize, validate, act, present. */
export function answerCall({ call, handler }: Route, stations: Stations) {
  const known = new Set(Object.keys(call.input.entries));

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const lang = languageOfRequest(request);
    const seen = { path: call.path, ip: request.ip, account: null as string | null, isNewDevice: false };
    const decline = (refusal: Refusal, status?: number) => {
      if (reply.sent) return reply;
      stations.security.sawCall({ ...seen, error: refusal.error });
      return presentRefusal(reply, refusal, { lang, path: call.path, clock: stations.clock }, status);
    };
    const watch = () =>
      stations.deadlines.watch(() => {
        stations.log.warn({ path: call.path }, "a call took too long");
        decline({ error: "NOT_NOW" });
      });
    let isAnswered = watch();
    try {
      const from = seenFrom(request, stations);

      const counted = await stations.limits.countVisitor(call.limit, from.ip, from.deviceKey);
      if (!counted.ok) return decline(counted.refusal);

      const session = await authenticate(request, from, stations.authenticate);
      if (session.ok) {
        const countedMember = await stations.limits.countMember(call.limit, session.value.memberId);
        if (!countedMember.ok) return decline(countedMember.refusal);
      } else if (call.access === "member") return decline(session.refusal);

      if (call.file === "upload") isAnswered();
      const form = await readForm(request, call, known, stations.uploads);
      if (!form.ok) return decline(form.refusal);
      const { file } = form.value;
      // An upload may take as long as it goes on; the call's own time begins when it is there.
      if (call.file === "upload") isAnswered = watch();
      const input = validateInput(call, form.value.fields);
      if (!input.ok) {
        await discardUpload(file);
        return decline(input.refusal);
      }
      if (call.file === "upload" && file === null)
        return decline({ error: "FIELD_MISSING", params: { field: "file" }, fields: { file: "FIELD_MISSING" } });

      seen.account = session.ok ? String(session.value.memberId) : accountIn(input.value);
      const asked: CallRequest<Call> = {
        input: input.value,
        session: session.ok ? session.value : null,
        lang,
        file,
        keepDeviceKey: (key) => stations.deviceKeys.keep(request, reply, key),
        noteNewDevice: () => {
          seen.isNewDevice = true;
        },
        ...from,
      };
      const answer: unknown = await act(handler, asked);
      const verdict = isVerdict(answer) ? answer : accept(answer);
      if (!verdict.ok) return decline(verdict.refusal);
      if (stations.checkAnswers) holdAgainstSchema(call, verdict.value);
      stations.security.sawCall({ ...seen, error: null });
      return reply.sent ? reply : presentValue(reply, verdict.value, lang);
    } catch (fault) {
      return decline(refusalOfFault(fault, call.path, stations.log));
    } finally {
      isAnswered();
    }
  };
}

function seenFrom(request: FastifyRequest, { clock, deviceKeys }: Pick<Stations, "clock" | "deviceKeys">): SeenFrom {
  return {
    ip: request.ip,
    device: (request.headers["user-agent"] ?? "").slice(0, 200),
    deviceKey: deviceKeys.read(request),
    now: clock.now(),
  };
}

/** Refuses LOGIN_REQUIRED without a token, SESSION_EXPIRED with one that opens nothing. */
async function authenticate(request: FastifyRequest, from: SeenFrom, open: Authenticate): Promise<Verdict<Session>> {
  const token = request.headers["exchange2508token"];
  if (typeof token !== "string" || token === "") return refuse("LOGIN_REQUIRED");
  const session = token.length > TOKEN_LENGTH_MAX ? null : await open(token, from);
  return session ? accept(session) : refuse("SESSION_EXPIRED");
}

async function readForm(
  request: FastifyRequest,
  call: Call,
  known: ReadonlySet<string>,
  uploads: UploadRules,
): Promise<Verdict<UploadedForm>> {
  const type = request.headers["content-type"] ?? "";
  if (type.toLowerCase().startsWith("multipart/form-data"))
    return call.file === "upload" ? receiveUpload(request.raw, known, uploads) : refuse("FIELD_INVALID", { field: "" });
  const { body } = request;
  if (!(body instanceof Buffer)) return accept({ fields: {}, file: null });
  const fields = parseForm(body, known);
  return fields.ok ? accept({ fields: fields.value, file: null }) : fields;
}

/** What was uploaded is gone before anybody hears of the answer. */
async function act(handler: Route["handler"], asked: CallRequest<Call>): Promise<unknown> {
  try {
    return await handler(asked);
  } finally {
    await discardUpload(asked.file);
  }
}

function isVerdict(answer: unknown): answer is Verdict<unknown> {
  return typeof answer === "object" && answer !== null && "ok" in answer && typeof answer.ok === "boolean";
}

function holdAgainstSchema(call: Call, value: unknown): void {
  const parsed = safeParse(call.output, value ?? null);
  if (parsed.success) return;
  const [issue] = parsed.issues;
  const place = issue.path?.map(({ key }) => String(key)).join(".") ?? "";
  throw new Error(`client/${call.path} answered what its schema does not allow: ${place}: ${issue.message}`);
}
