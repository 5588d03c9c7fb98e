/** The tools that a member can draw with, and the name under which the library knows each. */
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

/** What the library calls this tool. */
export function overlayOf(tool: DrawingTool): string {
  return DRAWING_TOOLS.find((other) => other.tool === tool)?.overlay ?? "segment";
}

/** The tool of a drawing that the library holds; null for what is none of the member's. */
export function toolOf(overlay: string): DrawingTool | null {
  return DRAWING_TOOLS.find((other) => other.overlay === overlay)?.tool ?? null;
}
