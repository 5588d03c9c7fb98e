import { accept, refuse, type Refusal, type Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import { type Call, type Input, validateInput } from "@fairtick/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { safeParse } from "valibot";
import { accountIn } from "../security-events.ts";
import type { Edge, Message } from "./call-edge.ts";
import { refusalOfFault } from "./faults.ts";
import { presentRefusal, presentValue } from "./present.ts";
import { discardUpload, type ReceivedFile, receiveUpload } from "./receive-upload.ts";
import type { SeenFrom } from "./session.ts";

/** What an edge does with a call between the visitor's limit and the answer. It takes the stations in its own order. */
export type CarryOut<C extends Call, Session, Scope> = (
  passage: Passage<C, Session, Scope>,
) => Promise<Verdict<unknown>>;

/**
 * Answers a call of a member or an operator by one chain of stations: own page, visitor's limit, session, policy, message,
 * fields, handler, answer. Session, policy, message and fields are methods of the passage, because an operator's call passes
 * them inside its transaction.
 */
export function answerCall<C extends Call, Session, Scope>(
  call: C,
  edge: Edge<C, Session, Scope>,
  carryOut: CarryOut<C, Session, Scope>,
) {
  const known = new Set(Object.keys(call.input.entries));

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const passage = new Passage(call, known, edge, request, reply);
    try {
      const verdict = await pass(passage, carryOut);
      return verdict.ok ? passage.succeed(verdict.value) : passage.decline(verdict.refusal);
    } catch (fault) {
      return passage.decline(refusalOfFault(fault, `${edge.prefix}/${call.path}`, edge.log));
    } finally {
      passage.end();
    }
  };
}

async function pass<C extends Call, Session, Scope>(
  passage: Passage<C, Session, Scope>,
  carryOut: CarryOut<C, Session, Scope>,
): Promise<Verdict<unknown>> {
  const { call, edge, request, from } = passage;
  if (!edge.isOwn(request)) return refuse("FORBIDDEN");
  const counted = await edge.limits.countVisitor(call.limit, from.ip, from.deviceKey);
  if (!counted.ok) return counted;
  if (call.file !== "upload") return carryOut(passage);
  try {
    return await carryOut(passage);
  } finally {
    // Remove the upload before answering.
    await passage.discard();
  }
}

/** A call on its way through the stations. */
export class Passage<C extends Call, Session, Scope> {
  readonly call: C;
  readonly edge: Edge<C, Session, Scope>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly lang: LanguageCode;
  readonly from: SeenFrom;
  /** The session that makes the call; null before that station and if no one is logged in. */
  session: Session | null = null;
  readonly #known: ReadonlySet<string>;
  #message: Message | Promise<Message> | null = null;
  #file: ReceivedFile | null = null;
  #account: string | null = null;
  #isNewDevice = false;
  #stopTime: (() => void) | undefined;

  constructor(
    call: C,
    known: ReadonlySet<string>,
    edge: Edge<C, Session, Scope>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.call = call;
    this.#known = known;
    this.edge = edge;
    this.request = request;
    this.reply = reply;
    this.lang = edge.languageOf(request);
    this.from = {
      ip: request.ip,
      device: (request.headers["user-agent"] ?? "").slice(0, 200),
      deviceKey: edge.deviceKeys.read(request),
      now: edge.clock.now(),
    };
    this.#startTime();
  }

  /**
   * Passes the stations of session and policy. Refuses LOGIN_REQUIRED without a token, SESSION_EXPIRED for an invalid one, and
   * whatever the edge's policy refuses.
   */
  async admit(scope: Scope): Promise<Verdict<null>> {
    const { call, edge } = this;
    const token = edge.tokenOf(this.request);
    const session = token === undefined ? null : await edge.openSession(token, this.from, scope);
    this.session = session;
    if (session !== null) {
      this.#account = edge.accountOf(session);
      return edge.authorize(call, session);
    }
    if (!edge.needsSession(call)) return accept(null);
    return refuse(token === undefined ? "LOGIN_REQUIRED" : "SESSION_EXPIRED");
  }

  /** Passes the message's station. The message is read only once, however often this is called. */
  message(): Message | Promise<Message> {
    this.#message ??= this.#read();
    return this.#message;
  }

  /** Passes the stations of message and fields. Refuses invalid messages with FIELD_… and, for uploads, FILE_…. */
  async fields(): Promise<Verdict<{ readonly input: Input<C>; readonly file: ReceivedFile | null }>> {
    const { fields, file, refusal } = await this.message();
    if (refusal !== null) return { ok: false, refusal };
    const input = validateInput(this.call, fields);
    if (!input.ok) return input;
    if (this.call.file === "upload" && file === null)
      return refuse("FIELD_MISSING", { field: "file" }, { file: "FIELD_MISSING" });
    this.#account ??= accountIn(input.value);
    return accept({ input: input.value, file });
  }

  /** Stores a device key in the browser. */
  keepDeviceKey(key: string): void {
    this.edge.deviceKeys.keep(this.request, this.reply, key);
  }

  /** Reports that the account was logged in to on a device that it didn't know. */
  noteNewDevice(): void {
    this.#isNewDevice = true;
  }

  succeed(value: unknown): FastifyReply | Promise<FastifyReply> {
    if (this.edge.checkAnswers) holdAgainstSchema(this.edge.prefix, this.call, value);
    this.#tell(null);
    return this.reply.sent ? this.reply : presentValue(this.reply, value, this.lang, this.call);
  }

  /** Sends a refusal unless the call was already answered, since it may have timed out. */
  decline(refusal: Refusal): FastifyReply {
    const { reply, lang, call, edge } = this;
    if (reply.sent) return reply;
    this.#tell(refusal);
    return presentRefusal(reply, refusal, { lang, path: call.path, clock: edge.clock });
  }

  /** Removes the upload. */
  discard(): Promise<void> {
    return discardUpload(this.#file);
  }

  end(): void {
    this.#stopTime?.();
  }

  #startTime(): void {
    this.#stopTime = this.edge.deadlines?.watch(() => {
      this.edge.log.warn({ path: this.call.path }, "a call took too long");
      this.decline({ error: "NOT_NOW" });
    });
  }

  #read(): Message | Promise<Message> {
    const { call, edge, request } = this;
    const type = request.headers["content-type"] ?? "";
    return call.file === "upload" && type.toLowerCase().startsWith("multipart/form-data")
      ? this.#receive()
      : edge.codec.read(request, call, this.#known);
  }

  /** Receives an upload, which may take as long as it makes progress. The call's own time limit starts afterwards. */
  async #receive(): Promise<Message> {
    this.#stopTime?.();
    const form = await receiveUpload(this.request.raw, this.#known, this.edge.uploads);
    this.#startTime();
    if (!form.ok) return { fields: {}, file: null, refusal: form.refusal };
    this.#file = form.value.file;
    return { ...form.value, refusal: null };
  }

  #tell(refusal: Refusal | null): void {
    const [path, ip, account, isNewDevice] = [this.call.path, this.from.ip, this.#account, this.#isNewDevice];
    this.edge.security.sawCall({ path, ip, account, isNewDevice, error: refusal?.error ?? null });
  }
}

/** Converts a handler's answer to a verdict. Handlers that can't refuse return the value itself. */
export function verdictOf(answer: unknown): Verdict<unknown> {
  return isVerdict(answer) ? answer : accept(answer);
}

function isVerdict(answer: unknown): answer is Verdict<unknown> {
  return typeof answer === "object" && answer !== null && "ok" in answer && typeof answer.ok === "boolean";
}

function holdAgainstSchema(prefix: string, call: Call, value: unknown): void {
  const parsed = safeParse(call.output, value ?? null);
  if (parsed.success) return;
  const [issue] = parsed.issues;
  const place = issue.path?.map(({ key }) => String(key)).join(".") ?? "";
  throw new Error(`${prefix}/${call.path} answered what its schema does not allow: ${place}: ${issue.message}`);
}
