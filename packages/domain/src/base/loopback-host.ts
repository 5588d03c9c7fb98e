/**
 * Says whether a Host header names the loopback. A server that only programs of its own machine may use refuses every
 * other name: a web page whose DNS record was pointed at 127.0.0.1 would send its own name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i.test(host ?? "");
}
