export { logRelease } from "./log-release.ts";
export { readRelease, type Release } from "./read-release.ts";
export { readVerifier, type VerifierTarball } from "./read-verifier.ts";
export { addReleasePage } from "./release-pages.ts";
export { addVerifierPages } from "./verifier-pages.ts";
