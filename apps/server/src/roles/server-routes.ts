import { alertRoutes } from "../features/alerts/index.ts";
import { appRoutes } from "../features/app/index.ts";
import { closingRoutes } from "../features/closing/index.ts";
import { contentRoutes } from "../features/content/index.ts";
import { dataExportRoutes } from "../features/data-export/index.ts";
import { type AddressMaker, depositRoutes } from "../features/deposits/index.ts";
import { fileRoutes, type FileStore } from "../features/files/index.ts";
import { factorSettingsRoutes } from "../features/factor-settings/index.ts";
import { figureRoutes } from "../features/figures/index.ts";
import { identityRoutes } from "../features/identity/index.ts";
import { inviteRoutes } from "../features/invites/index.ts";
import { freezeRoutes } from "../features/freezes/index.ts";
import { ledgerRoutes } from "../features/ledger/index.ts";
import { limitRoutes } from "../features/limits/index.ts";
import { marketRoutes } from "../features/market/index.ts";
import { memberRoutes } from "../features/members/index.ts";
import { noticeRoutes } from "../features/notices/index.ts";
import { orderDeviceRoutes } from "../features/order-devices/index.ts";
import { orderRoutes, type Placing, type Revealing } from "../features/orders/index.ts";
import { pushRoutes } from "../features/push/index.ts";
import { regionRoutes } from "../features/regions/index.ts";
import { type SessionContext, sessionRoutes } from "../features/sessions/index.ts";
import { settingRoutes } from "../features/settings/index.ts";
import { type SignerDoor } from "../features/signer/index.ts";
import { withdrawalRoutes } from "../features/withdrawals/index.ts";
import { supportRoutes } from "../features/support/index.ts";
import type { Route } from "../platform/http/index.ts";

/** Returns the routes of all member calls, with one line for each feature. The edge refuses to start if one is missing. */
export function serverRoutes(
  context: SessionContext,
  placing: Placing & Revealing,
  addresses: AddressMaker | null,
  files: FileStore,
  signer: SignerDoor | null,
): Route[] {
  return [
    ...appRoutes(context),
    ...regionRoutes(context),
    ...contentRoutes(),
    ...noticeRoutes(context),
    ...supportRoutes(context),
    ...sessionRoutes(context),
    ...factorSettingsRoutes(context),
    ...freezeRoutes(context),
    ...memberRoutes(context),
    ...identityRoutes(context),
    ...settingRoutes(context),
    ...limitRoutes(context),
    ...figureRoutes(context),
    ...closingRoutes(context),
    ...inviteRoutes(context),
    ...alertRoutes(context, placing.configs),
    ...pushRoutes(context),
    ...dataExportRoutes(context, placing),
    ...marketRoutes(context, placing.configs),
    ...orderRoutes(placing),
    ...orderDeviceRoutes(context),
    ...ledgerRoutes(context),
    ...depositRoutes({ ...context, addresses, addressSigner: placing.signer }),
    ...fileRoutes(context, files),
    ...withdrawalRoutes({ ...context, signer }),
  ];
}
