import { text } from "./i18n.ts";

/** Returns a chain's name for members. The sandbox chain's name is translated; the others keep theirs. */
export function chainWords({ chain, name }: { readonly chain: string; readonly name: string }): string {
  return chain === "test" ? text("deposit.testChain") : name;
}
