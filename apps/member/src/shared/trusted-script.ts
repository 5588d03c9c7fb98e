interface TrustedScripts {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string | null },
  ): {
    createScriptURL(url: string): string;
  };
}

/** The service worker, and scripts of the build that a thread runs. */
const OURS = /^\/(?:service-worker\.js|assets\/[\w-]+\.js)$/;

let policy: ReturnType<TrustedScripts["createPolicy"]> | undefined;

/**
 * The address as the page's policy demands it, which lets scripts be started from addresses alone that were looked at: the app's own.
 * Throws a TypeError for another one, in browsers that know Trusted Types.
 */
export function trustedScript(address: string): string {
  const factory = (globalThis as { trustedTypes?: TrustedScripts }).trustedTypes;
  // Its name may be taken once.
  policy ??= factory?.createPolicy("fairtick", { createScriptURL: (url) => (OURS.test(url) ? url : null) });
  return policy?.createScriptURL(address) ?? address;
}
