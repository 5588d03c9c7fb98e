import type { Instant, Refusal, Verdict } from "@fairtick/domain";
import type { Input, OperatorCall, OperatorRole, Output } from "@fairtick/protocol/operator";
import type { Queryable } from "../database.ts";
import type { ReceivedFile } from "../http/receive-upload.ts";
import type { SeenFrom } from "../http/session.ts";

/** Who makes a call of the back office, as the database had it at the call's beginning. */
export interface OperatorSession {
  readonly sessionId: bigint;
  readonly operatorId: bigint;
  readonly login: string;
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  /** False while only the password was given. */
  readonly verified: boolean;
  readonly expiresAt: Instant;
}

export interface OperatorRequest<C extends OperatorCall> extends SeenFrom {
  readonly input: Input<C>;
  /** The call's own transaction, as `fairtick_console`: what is written in it stands with its row of the audit trail, or not at all. */
  readonly db: Queryable;
  /** Says what the call turned out to be about, where a field of the message does not. */
  readonly about: (subject: string) => void;
  /** Runs once the transaction is committed: events, never money. */
  readonly afterCommit: (effect: () => void) => void;
  /** Gives the browser a session's token, or takes it away. */
  readonly setToken: (token: string | null) => void;
  /** Has the browser keep a device key. */
  readonly keepDeviceKey: (key: string) => void;
  /** Says that both factors were given on a device that the operator had never used. */
  readonly noteNewDevice: () => void;
}

/** What is judged before the call's transaction, with the pool's connections free: hashing and waiting take their time. */
export type JudgedRequest<C extends OperatorCall> = Pick<OperatorRequest<C>, keyof SeenFrom | "input" | "about">;

export interface SignedInRequest<C extends OperatorCall> extends OperatorRequest<C> {
  readonly session: OperatorSession;
}

/**
 * An answer that is made once the call's transaction stands, in transactions of its own: for what would else hold the rows of many
 * members at once. A process that dies in between leaves the rest undone, so the first transaction notes what is to be done, and the
 * next process goes on with it.
 */
export class Afterwards<Value> {
  readonly finish: () => Promise<Value>;
  constructor(finish: () => Promise<Value>) {
    this.finish = finish;
  }
}

type Answer<Value> = Value | Verdict<Value> | Verdict<Afterwards<Value>>;

/** One call with what answers it. */
export interface OperatorRoute {
  readonly call: OperatorCall;
  /** What is found out before the call's transaction; its value goes to the handler, a refusal is the call's. */
  readonly judge?: (request: JudgedRequest<OperatorCall>, session: OperatorSession | null) => Promise<Verdict<unknown>>;
  /** For calls that the policy opens to anyone. */
  readonly open?: (request: OperatorRequest<OperatorCall>, judged: unknown) => unknown;
  readonly handler?: (request: SignedInRequest<OperatorCall>, judged: unknown) => unknown;
  /** For calls that bring a file. */
  readonly receive?: (request: FileRequest<OperatorCall>) => Promise<Verdict<unknown>>;
}

/** A file on its way into a call: on the disk, removed when this is over. */
export interface FileRequest<C extends OperatorCall> {
  readonly input: Input<C>;
  readonly session: OperatorSession;
  readonly file: ReceivedFile;
}

/**
 * A call that brings a file: what becomes of it is the call's answer. It takes as long as the file does, so it has no
 * transaction: that is opened afterwards, for the session once more and the row of the audit trail.
 */
export function operatorFileRoute<C extends OperatorCall>(
  call: C,
  receive: (request: FileRequest<C>) => Promise<Verdict<Output<C>>>,
): OperatorRoute {
  return { call, receive: (request) => receive(request as unknown as FileRequest<C>) };
}

/** `operatorRoute(correctionPropose, async ({ input, session, db }) => …)`; answers a verdict, or the value itself. */
export function operatorRoute<C extends OperatorCall>(
  call: C,
  handler: (request: SignedInRequest<C>) => Answer<Output<C>> | Promise<Answer<Output<C>>>,
): OperatorRoute {
  return { call, handler: (request) => handler(request as unknown as SignedInRequest<C>) };
}

/** The same for a call that the policy opens to anyone. */
export function openOperatorRoute<C extends OperatorCall>(
  call: C,
  open: (request: OperatorRequest<C>) => Answer<Output<C>> | Promise<Answer<Output<C>>>,
): OperatorRoute {
  return { call, open: (request) => open(request as unknown as OperatorRequest<C>) };
}

/**
 * A call whose secret is judged first. No transaction and no connection is held meanwhile, so that guesses which wait
 * their turn cannot keep other calls from the pool.
 */
export function judgedRoute<C extends OperatorCall, Judged>(
  call: C,
  judge: (request: JudgedRequest<C> & { readonly session: OperatorSession }) => Promise<Verdict<Judged>>,
  handler: (request: SignedInRequest<C>, judged: Judged) => Answer<Output<C>> | Promise<Answer<Output<C>>>,
): OperatorRoute {
  return {
    call,
    judge: (request, session) => {
      if (session === null) throw new Error(`operator/${call.path} wants a session`);
      return judge({ ...(request as unknown as JudgedRequest<C>), session });
    },
    handler: (request, judged) => handler(request as unknown as SignedInRequest<C>, judged as Judged),
  };
}

/** The same for a call that the policy opens to anyone. */
export function openJudgedRoute<C extends OperatorCall, Judged>(
  call: C,
  judge: (request: JudgedRequest<C>) => Promise<Verdict<Judged>>,
  handler: (request: OperatorRequest<C>, judged: Judged) => Answer<Output<C>> | Promise<Answer<Output<C>>>,
): OperatorRoute {
  return {
    call,
    judge: (request) => judge(request as unknown as JudgedRequest<C>),
    open: (request, judged) => handler(request as unknown as OperatorRequest<C>, judged as Judged),
  };
}

/** Thrown to roll a call's transaction back with a refusal. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}
