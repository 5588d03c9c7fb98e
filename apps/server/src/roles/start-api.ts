import type { FastifyInstance } from "fastify";
import { addBeaconPages } from "../features/beacon/index.ts";
import { followBoards } from "../features/boards/index.ts";
import { createAddressMaker } from "../features/deposits/index.ts";
import { addFairnessPages, openFairness } from "../features/fairness/index.ts";
import { addFaucetRoutes } from "../features/faucet/index.ts";
import { addInboxRoutes, seedAccounts } from "../features/inbox/index.ts";
import { type InvariantCheck, watchInvariants } from "../features/ledger/index.ts";
import { liabilityRoutes } from "../features/liabilities/index.ts";
import { registerKey, watchLog } from "../features/log/index.ts";
import { startMarketWatch } from "../features/market/index.ts";
import { sandboxOperators } from "../features/operators/index.ts";
import { openDeviceKeys } from "../features/order-devices/index.ts";
import { openAcceptance, openRevealDesk, type Placing, type Revealing } from "../features/orders/index.ts";
import { receiptRoutes } from "../features/receipts/index.ts";
import { addReleasePage, addVerifierPages, logRelease } from "../features/release/index.ts";
import type { Route } from "../platform/http/index.ts";
import type { Parts } from "./parts.ts";
import { serverRoutes } from "./server-routes.ts";

/** What the role adds to the members' port. */
export interface Api {
  readonly routes: readonly Route[];
  readonly pages: (app: FastifyInstance) => void;
  /** The newest check of the ledger; null before the first one. */
  readonly ledger: () => InvariantCheck | null;
}

/** Starts answering the members' calls. Orders aren't accepted while prices, log or books are in doubt. */
export async function startApiRole(parts: Parts): Promise<Api> {
  const { process: process_, configs, acceptance, regions } = parts;
  const { config, log, bus, databases, shutdown } = process_;
  const signer = parts.batchSigner();
  await registerKey(databases.log, "acceptance", signer.verifier);
  await logRelease(databases.log, parts.release(), process_.clock.now());
  const orders = await openAcceptance(process_, { configs, acceptance, regions, signer, node: await parts.node() });
  shutdown.add("acceptance", () => orders.close());
  const invariants = watchInvariants(process_, { acceptance });
  shutdown.add("invariants", () => invariants.close());
  const marketWatch = startMarketWatch(process_, acceptance);
  shutdown.add("market watch", () => marketWatch.stop());
  const logWatch = watchLog(process_, acceptance);
  shutdown.add("log watch", () => logWatch.stop());
  const reveals = openRevealDesk({ databases, configs, bus });
  shutdown.add("reveals", () => reveals.close());
  const boards = followBoards({ ...process_, reveals });
  shutdown.add("boards", () => boards.stop());

  const { context, inbox } = await parts.members();
  if (inbox !== null) await seedAccounts(context, inbox);
  const devices = openDeviceKeys(databases.reader);
  const placing: Placing & Revealing = {
    databases,
    configs,
    collector: orders.collector,
    reveals,
    bus,
    devices,
    signer,
  };
  const addresses = createAddressMaker({ evm: config.depositXpub, tron: config.depositTronXpub });
  const logFiles = await parts.logFiles();
  return {
    ledger: () => invariants.last(),
    routes: [
      ...serverRoutes(context, placing, addresses, await parts.files(), parts.signer()),
      ...receiptRoutes({ databases, files: logFiles, signer, hasCaughtUp: () => logWatch.hasCaughtUp() }),
      ...liabilityRoutes({ databases, files: logFiles }),
    ],
    pages(app) {
      addFairnessPages(app, openFairness(process_, parts.verifier()?.sha256 ?? null));
      addVerifierPages(app, parts.verifier());
      addBeaconPages(app, process_);
      addReleasePage(app, process_, logFiles, parts.release());
      if (inbox !== null) addInboxRoutes(app, inbox, sandboxOperators(config.dataDir));
      if (config.testChain !== null) addFaucetRoutes(app, config.testChain, log);
    },
  };
}
