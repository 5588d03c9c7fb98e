import type { MemberId } from "@fairtick/domain";
import type { Log } from "../../platform/log.ts";
import type { MemberSources } from "./member-push.ts";
import type { MemberSockets } from "./member-sockets.ts";

const RETRY_MS = 500;
/** The shortest time between two pushes of one account, in ms. */
const EVERY_MS = 100;
/**
 * How many accounts are read at the same time. A mass settlement changes thousands, and calls need the pool as well.
 */
const AT_ONCE = 4;

export interface AccountPush {
  /** Requests a push of this member's wallets. Several requests within one interval cause one push. */
  ask(member: bigint): void;
  close(): void;
}

/** Pushes members' wallets to their sockets. A connection that reads too slowly gets them once it has caught up. */
export function createAccountPush(
  sources: Pick<MemberSources, "readSummaries">,
  log: Log,
  sockets: MemberSockets,
): AccountPush {
  const toRead = new Set<bigint>();
  let timer: NodeJS.Timeout | undefined;
  const life = { closed: false };

  async function push(member: bigint): Promise<void> {
    if (!sockets.wants(member, "account")) return;
    try {
      const summaries = await sources.readSummaries(member as MemberId);
      sockets.each(member, "account", (connection) => {
        connection.accountWaits = connection.slow;
        if (!connection.slow) for (const summary of summaries) connection.send({ t: "account", d: summary });
      });
    } catch (error) {
      log.warn({ err: error }, "an account to push could not be read");
      if (!life.closed) setTimeout(() => ask(member), RETRY_MS).unref();
    }
  }

  async function pushInTurn(members: bigint[]): Promise<void> {
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (let member = members.pop(); member !== undefined; member = members.pop()) await push(member);
    });
    await Promise.all(lanes);
  }

  function ask(member: bigint): void {
    toRead.add(member);
    timer ??= setTimeout(() => {
      timer = undefined;
      const members = [...toRead];
      toRead.clear();
      void pushInTurn(members);
    }, EVERY_MS);
  }

  return {
    ask,
    close() {
      life.closed = true;
      clearTimeout(timer);
    },
  };
}
