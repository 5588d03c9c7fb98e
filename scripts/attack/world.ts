import { OPERATOR_ROLES, type OperatorRole } from "@fairtick/protocol/operator";
import { waitUntil } from "@fairtick/testkit";
import type { Product } from "../own-product.ts";
import { type Member, memberOf, newTrader } from "./member.ts";
import { type Operator, type OperatorLogin, operatorOf } from "./operator.ts";
import { addressOf, type Caller, callerFrom } from "./request.ts";

/** Addresses of the attacked product. */
export interface Target {
  readonly url: string;
  readonly console: string;
}

/** A running sandbox, with members and operators for the attacks. */
export interface World extends Target {
  /** Runs SQL, which only the process that started the product can; null for a sandbox that was already running. */
  readonly sql: Product["sql"] | null;
  /** The address that legitimate members call from. */
  readonly caller: Caller;
  readonly officeCaller: Caller;
  /** The sandbox's own account, with a transaction password and in a region with real money. */
  readonly demo: Member;
  /** Two unrelated members. */
  readonly owner: Member;
  readonly other: Member;
  readonly logins: readonly OperatorLogin[];
  /** One operator of each role, logged in. */
  readonly operators: ReadonlyMap<OperatorRole, Operator>;
  /** Returns an address that hasn't sent anything in this run. */
  freshAddress(): string;
  close(): void;
}

const HOME = "127.0.0.1";

type Account =
  | { readonly kind: "member"; readonly account: string; readonly password: string }
  | (OperatorLogin & { readonly kind: "operator" });

/** Logs everyone in to a sandbox that runs on this machine. */
export async function openWorld(target: Target, sql: World["sql"] = null): Promise<World> {
  let addresses = Math.floor(Math.random() * 1_000_000);
  const freshAddress = () => {
    addresses += 1;
    return addressOf(addresses);
  };
  const caller = callerFrom(HOME, target.url);
  const officeCaller = callerFrom(HOME, target.console);
  const { text } = await caller.send("/dev/accounts", { method: "GET", headers: { accept: "application/json" } });
  const accounts = JSON.parse(text) as readonly Account[];
  const logins = accounts.filter((account) => account.kind === "operator");
  const seeded = accounts.find((account) => account.kind === "member");
  if (seeded === undefined) throw new Error("the sandbox has no account");
  await waitUntil("prices", async () => (await caller.send("/health/ready", { method: "GET" })).status === 200 || null);
  const operators = new Map<OperatorRole, Operator>();
  for (const role of OPERATOR_ROLES) {
    const login = logins.find(({ roles }) => roles.includes(role));
    if (login === undefined) throw new Error(`the sandbox has no operator with the role ${role}`);
    operators.set(role, await operatorOf(officeCaller, target.console, login));
  }
  const [demo, owner, other] = await Promise.all([
    memberOf(caller, seeded.account, seeded.password),
    newTrader(target.url, HOME),
    newTrader(target.url, HOME),
  ]);
  return {
    ...target,
    sql,
    caller,
    officeCaller,
    demo,
    owner,
    other,
    logins,
    operators,
    freshAddress,
    close() {
      caller.close();
      officeCaller.close();
    },
  };
}
