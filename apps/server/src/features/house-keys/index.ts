export { fingerprintOf, giveUpKeys, type HeldKeys, holdKeys, readGivenUp } from "./hold-keys.ts";
