import type { MicroUsd } from "@fairtick/domain";
import { createPayoutWorld, type PayoutWorld, SIGNER_SECRET } from "../../features/payouts/test-world.ts";
import type { Approver } from "../../features/payouts/test-world.ts";
import type { OperatorSession } from "../../platform/console/index.ts";
import { type ActName, openActs, type Places, type Told } from "./acts.ts";
import { type Killer, openKiller } from "./killer.ts";

/** An act that is killed and performed again, with the check of its result. */
export interface Case<Name extends ActName = ActName> {
  readonly act: Name;
  readonly told: Told<Name>;
  /** How far the process's clock is ahead, in ms. */
  readonly aheadMs?: bigint;
  /** Checks the result. `again` is the answer of the second attempt. */
  check(again: string): Promise<void>;
}

/** One PostgreSQL, one chain, one signer and members, for tests that kill processes. */
export interface CrashWorld extends PayoutWorld {
  /** Lets a process die at a point, if it reaches it. Returns how the process ended. */
  attempt<Name extends ActName>(point: string, one: Omit<Case<Name>, "check">): Promise<string>;
  /** Lets a process die at a point. Throws if it survives. */
  kill<Name extends ActName>(point: string, one: Omit<Case<Name>, "check">): Promise<"SIGKILL">;
  /** Performs the same act in a process that knows only the tables. */
  again<Name extends ActName>(one: Omit<Case<Name>, "check">): Promise<string>;
  /**
   * Kills a process at the point, performs the act again in another one, and checks that everything happened once.
   * Returns how the first one ended.
   */
  dieAndGoOn<Name extends ActName>(point: string, one: Case<Name>): Promise<"SIGKILL">;
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  money(memberId: bigint): Promise<{ readonly available: string; readonly locked: string }>;
  /** Keys of the messages that a member has, oldest first. */
  messages(memberId: bigint): Promise<readonly string[]>;
  /** Counts the rows of an operator's act on a subject in the audit trail. */
  audited(action: string, subject: string): Promise<number>;
  sessionOf(approver: Approver): OperatorSession;
}

/** Deposits are swept into the paying wallet above 50.00. */
export const SWEEP_ABOVE = 50_000_000n as MicroUsd;

export async function createCrashWorld(): Promise<CrashWorld> {
  const world = await createPayoutWorld({ sweepAbove: SWEEP_ABOVE });
  const killer: Killer = openKiller();
  const { chain } = world;
  const placesOf = (aheadMs = 0n): Places => ({
    database: chain.context.database.url,
    chain: chain.settings,
    signer: { url: world.signer.url, secret: SIGNER_SECRET },
    aheadMs,
  });
  const sql = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await chain.build.client.query<Row>(text, [...values])).rows;

  const added: Omit<CrashWorld, keyof PayoutWorld> = {
    attempt: (point, { act, told, aheadMs }) => killer.run(placesOf(aheadMs), act, told, point),
    async kill(point, one) {
      const ended = await added.attempt(point, one);
      if (ended !== "SIGKILL") throw new Error(`not killed at ${point}: ${ended}`);
      return ended;
    },
    again({ act, told, aheadMs }) {
      const acts = openActs(placesOf(aheadMs), chain.context.databases) as unknown as Readonly<
        Record<string, (told: object) => Promise<string>>
      >;
      const done = acts[act];
      if (done === undefined) throw new Error(`no act ${act}`);
      return done({ ...told, mine: () => chain.mine() });
    },
    async dieAndGoOn(point, one) {
      const ended = await added.kill(point, one);
      await one.check(await added.again(one));
      await chain.checkBooks();
      return ended;
    },
    sql,
    async money(memberId) {
      const [row] = await sql<{ available: string; locked: string }>(
        "SELECT real_available::text AS available, real_locked::text AS locked FROM members_money WHERE member_id = $1",
        [memberId],
      );
      if (row === undefined) throw new Error(`no member ${memberId}`);
      return row;
    },
    async messages(memberId) {
      const rows = await sql<{ message_key: string }>(
        "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY message_id",
        [memberId],
      );
      return rows.map(({ message_key: key }) => key);
    },
    async audited(action, subject) {
      const rows = await sql("SELECT 1 FROM audit_trail WHERE action = $1 AND subject = $2 AND outcome = 'done'", [
        action,
        subject,
      ]);
      return rows.length;
    },
    sessionOf: ({ sessionId }) => ({
      sessionId,
      operatorId: sessionId - 1_000_000n,
      login: "",
      name: "",
      roles: ["finance"],
      verified: true,
      expiresAt: 9_000_000_000_000_000n as OperatorSession["expiresAt"],
    }),
  };
  const end = world.close.bind(world);
  return Object.assign(world, added, {
    async close() {
      killer.close();
      await end();
    },
  });
}
