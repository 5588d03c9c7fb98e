import type { Instant, Refusal, Verdict } from "@fairtick/domain";
import type { Input, OperatorCall, OperatorRole, Output } from "@fairtick/protocol/operator";
import type { Queryable } from "../database.ts";
import type { ReceivedFile } from "../http/receive-upload.ts";
import type { SeenFrom } from "../http/session.ts";

/** The operator who makes a call and their session, as in the database when the call started. */
export interface OperatorSession {
  readonly sessionId: bigint;
  readonly operatorId: bigint;
  readonly login: string;
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  /** False until the second factor was given too. */
  readonly verified: boolean;
  readonly expiresAt: Instant;
}

export interface OperatorRequest<C extends OperatorCall> extends SeenFrom {
  readonly input: Input<C>;
  /** The call's transaction, as `fairtick_console`. Its changes are committed together with the call's audit row, or not at all. */
  readonly db: Queryable;
  /** Sets what the call is about, if no field of the message states it. */
  readonly about: (subject: string) => void;
  /** Runs an effect once the transaction is committed. For events only, never for money. */
  readonly afterCommit: (effect: () => void) => void;
  /** Gives the browser a session's token, or removes it. */
  readonly setToken: (token: string | null) => void;
  /** Stores a device key in the browser. */
  readonly keepDeviceKey: (key: string) => void;
  /** Reports that both factors were given on a device that the operator had never used. */
  readonly noteNewDevice: () => void;
}

/** A request as checks before the call's transaction see it. They hold no connection, because hashing and waiting take time. */
export type JudgedRequest<C extends OperatorCall> = Pick<OperatorRequest<C>, keyof SeenFrom | "input" | "about">;

export interface SignedInRequest<C extends OperatorCall> extends OperatorRequest<C> {
  readonly session: OperatorSession;
}

/**
 * An answer whose work is done after the call's transaction, in transactions of its own, so that the rows of many members aren't
 * locked at once. If the process dies in between, the rest stays undone. The first transaction therefore records what is left to
 * do, and the next process continues with it.
 */
export class Afterwards<Value> {
  readonly finish: () => Promise<Value>;
  constructor(finish: () => Promise<Value>) {
    this.finish = finish;
  }
}

type Answer<Value> = Value | Verdict<Value> | Verdict<Afterwards<Value>>;

/** A call with its handler. */
export interface OperatorRoute {
  readonly call: OperatorCall;
  /** Checks something before the call's transaction. Its value goes to the handler; its refusal ends the call. */
  readonly judge?: (request: JudgedRequest<OperatorCall>, session: OperatorSession | null) => Promise<Verdict<unknown>>;
  /** The handler of a call that the policy opens to anyone. */
  readonly open?: (request: OperatorRequest<OperatorCall>, judged: unknown) => unknown;
  readonly handler?: (request: SignedInRequest<OperatorCall>, judged: unknown) => unknown;
  /** The handler of a call with a file. */
  readonly receive?: (request: FileRequest<OperatorCall>) => Promise<Verdict<unknown>>;
}

/** A request with a file, which is on the disk and removed after the call. */
export interface FileRequest<C extends OperatorCall> {
  readonly input: Input<C>;
  readonly session: OperatorSession;
  readonly file: ReceivedFile;
}

/**
 * Makes the route of a call with a file. Receiving takes as long as the upload does, so it has no transaction. One is opened
 * afterwards to check the session once more and to write the audit row.
 */
export function operatorFileRoute<C extends OperatorCall>(
  call: C,
  receive: (request: FileRequest<C>) => Promise<Verdict<Output<C>>>,
): OperatorRoute {
  return { call, receive: (request) => receive(request as unknown as FileRequest<C>) };
}

/** Makes a route: `operatorRoute(correctionPropose, async ({ input, session, db }) => …)`. The handler returns a verdict or the value itself. */
export function operatorRoute<C extends OperatorCall>(
  call: C,
  handler: (request: SignedInRequest<C>) => Answer<Output<C>> | Promise<Answer<Output<C>>>,
): OperatorRoute {
  return { call, handler: (request) => handler(request as unknown as SignedInRequest<C>) };
}

/** Makes the route of a call that the policy opens to anyone. */
export function openOperatorRoute<C extends OperatorCall>(
  call: C,
  open: (request: OperatorRequest<C>) => Answer<Output<C>> | Promise<Answer<Output<C>>>,
): OperatorRoute {
  return { call, open: (request) => open(request as unknown as OperatorRequest<C>) };
}

/**
 * Makes the route of a call whose secret is checked first. That holds no transaction and no connection, so that guesses that
 * wait their turn can't keep other calls from the pool.
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

/** Makes the route of a call whose secret is checked first and that the policy opens to anyone. */
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

/** Thrown to roll back a call's transaction with a refusal. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}
