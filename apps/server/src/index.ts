/** What the scripts that start the family need of the server. */
export { childEnd, relayBus } from "./platform/bus-ipc.ts";
export { ConfigError, readConfig, type Config } from "./platform/config.ts";
export { refuseSandboxPartsInLive } from "./platform/sandbox-parts.ts";
export {
  isFamilyReport,
  type FamilyReport,
  type Place,
  type SeededAccount,
  type Started,
  tellEnvironment,
  TOLD_LATER,
} from "./platform/family.ts";
export { acceptanceVerifierKey } from "./features/log/acceptance-key.ts";
export { logVerifierKeys } from "./features/log/log-keys.ts";
