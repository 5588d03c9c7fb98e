/** The drawing tools, and the library's name for each. */
export const DRAWING_TOOLS = [
  { tool: "trend", overlay: "segment" },
  { tool: "ray", overlay: "rayLine" },
  { tool: "line", overlay: "straightLine" },
  { tool: "horizontal", overlay: "horizontalStraightLine" },
  { tool: "horizontalRay", overlay: "horizontalRayLine" },
  { tool: "vertical", overlay: "verticalStraightLine" },
  { tool: "price", overlay: "priceLine" },
  { tool: "channel", overlay: "parallelStraightLine" },
  { tool: "priceChannel", overlay: "priceChannelLine" },
  { tool: "rectangle", overlay: "fairtickRectangle" },
  { tool: "fibonacci", overlay: "fibonacciLine" },
  { tool: "measure", overlay: "fairtickMeasure" },
  { tool: "text", overlay: "fairtickText" },
  { tool: "brush", overlay: "brush" },
] as const;

export type DrawingTool = (typeof DRAWING_TOOLS)[number]["tool"];

/** Returns the library's name for this tool. */
export function overlayOf(tool: DrawingTool): string {
  return DRAWING_TOOLS.find((other) => other.tool === tool)?.overlay ?? "segment";
}

/** Returns the tool of a library drawing; null if it isn't one of the member's. */
export function toolOf(overlay: string): DrawingTool | null {
  return DRAWING_TOOLS.find((other) => other.overlay === overlay)?.tool ?? null;
}
