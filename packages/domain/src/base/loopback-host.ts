/**
 * Returns whether a Host header names the loopback interface. A server for programs on the same machine refuses every
 * other name. Otherwise a web page whose DNS record points to 127.0.0.1 could call it; such a page sends its own name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i.test(host ?? "");
}
