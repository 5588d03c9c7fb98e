export { fingerprintOf, type HeldKeys, holdKeys } from "./hold-keys.ts";
