/** Declared here, because the package doesn't export its own declarations. */
declare module "fake-indexeddb/auto";

declare module "node:crypto" {
  export const webcrypto: Crypto;
}
