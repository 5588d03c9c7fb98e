/** Its own declarations are not among the files that its package lets in. */
declare module "fake-indexeddb/auto";

declare module "node:crypto" {
  export const webcrypto: Crypto;
}
