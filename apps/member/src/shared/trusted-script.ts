interface TrustedScripts {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string | null },
  ): {
    createScriptURL(url: string): string;
  };
}

/** The service worker and the build's worker scripts. */
const OURS = /^\/(?:service-worker\.js|assets\/[\w-]+\.js)$/;

let policy: ReturnType<TrustedScripts["createPolicy"]> | undefined;

/**
 * Returns a script address as the page's Trusted Types policy requires it, which allows only the app's own scripts.
 * Throws a TypeError for any other address in browsers with Trusted Types.
 */
export function trustedScript(address: string): string {
  const factory = (globalThis as { trustedTypes?: TrustedScripts }).trustedTypes;
  // A policy name can be created only once.
  policy ??= factory?.createPolicy("fairtick", { createScriptURL: (url) => (OURS.test(url) ? url : null) });
  return policy?.createScriptURL(address) ?? address;
}
