import { text } from "./i18n.ts";

/** A chain as members know it: the sandbox's own has a name in each language, the others bear theirs. */
export function chainWords({ chain, name }: { readonly chain: string; readonly name: string }): string {
  return chain === "test" ? text("deposit.testChain") : name;
}
