export { readVerifier, type VerifierTarball } from "./read-verifier.ts";
export { addVerifierPages } from "./verifier-pages.ts";
