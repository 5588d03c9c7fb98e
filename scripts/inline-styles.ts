/** Returns the styles embedded in a page's markup. */
export function inlineStyles(page: string): string {
  return [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, styles = ""]) => styles).join("\n");
}
