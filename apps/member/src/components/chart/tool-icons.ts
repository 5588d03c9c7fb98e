import {
  IconBrush,
  IconChannel,
  IconFibonacci,
  IconHorizontal,
  IconHorizontalRay,
  IconLine,
  IconPriceChannel,
  IconPriceTag,
  IconRay,
  IconRectangle,
  IconRuler,
  IconText,
  IconTrend,
  IconVertical,
} from "@fairtick/ui";
import type { DrawingTool } from "./drawing-list.ts";

/** The icon of each drawing tool. */
export const TOOL_ICONS = {
  trend: IconTrend,
  ray: IconRay,
  line: IconLine,
  horizontal: IconHorizontal,
  horizontalRay: IconHorizontalRay,
  vertical: IconVertical,
  price: IconPriceTag,
  channel: IconChannel,
  priceChannel: IconPriceChannel,
  rectangle: IconRectangle,
  fibonacci: IconFibonacci,
  measure: IconRuler,
  text: IconText,
  brush: IconBrush,
} as const satisfies Record<DrawingTool, typeof IconTrend>;
