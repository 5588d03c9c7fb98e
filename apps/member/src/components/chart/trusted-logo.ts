/**
 * The page's policy lets no script write HTML (Trusted Types). The chart's library writes one thing: the drawing of
 * its maker's sign. The default policy lets drawings pass that hold shapes alone, and nothing else.
 */
const SHAPES_ALONE =
  /^<svg(?: [a-z-]+="[^"<>]*")*(?: xmlns="[^"<>]*")?(?: [a-z-]+="[^"<>]*")*>(?:<\/?(?:g|path|defs|clipPath)(?: [a-z-]+="[^"<>]*")*\/?>)+<\/svg>$/;

/** What may be written as HTML: the drawing itself, or null. Attributes that run code begin with "on". */
export function drawingOf(html: string): string | null {
  return SHAPES_ALONE.test(html) && !/ on|href/i.test(html) ? html : null;
}

interface PolicyFactory {
  readonly defaultPolicy: unknown;
  createPolicy(name: string, rules: { createHTML: (html: string) => string | null }): unknown;
}

/** Makes the policy once; browsers without Trusted Types need none. */
export function trustDrawings(): void {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory && !factory.defaultPolicy) factory.createPolicy("default", { createHTML: drawingOf });
}
