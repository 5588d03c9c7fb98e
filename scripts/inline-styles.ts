/** Returns the styles that stand in a page's markup itself. */
export function inlineStyles(page: string): string {
  return [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, styles = ""]) => styles).join("\n");
}
