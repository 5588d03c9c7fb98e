/* Icons of the chart's tools, loaded with the first chart. */
import {
  ArrowRight,
  Brush,
  Camera,
  ChevronUp,
  Columns2,
  Equal,
  Link2,
  Link2Off,
  ListTree,
  Magnet,
  LocateFixed,
  Maximize2,
  Minimize2,
  Minus,
  MousePointer2,
  MoveUpRight,
  Pencil,
  Play,
  Redo2,
  Rows3,
  Ruler,
  SeparatorVertical,
  Settings2,
  Slash,
  Square,
  Tag,
  Trash2,
  TrendingUp,
  Type,
  Undo2,
} from "lucide";
import { iconOf } from "./glyph.ts";

export const IconPointer = iconOf(MousePointer2);
export const IconTrend = iconOf(TrendingUp);
export const IconRay = iconOf(MoveUpRight);
export const IconLine = iconOf(Slash);
export const IconHorizontal = iconOf(Minus);
export const IconHorizontalRay = iconOf(ArrowRight);
export const IconVertical = iconOf(SeparatorVertical);
export const IconPriceTag = iconOf(Tag);
export const IconChannel = iconOf(Equal);
export const IconPriceChannel = iconOf(Rows3);
export const IconRectangle = iconOf(Square);
export const IconFibonacci = iconOf(ListTree);
export const IconRuler = iconOf(Ruler);
export const IconText = iconOf(Type);
export const IconBrush = iconOf(Brush);
export const IconMagnet = iconOf(Magnet);
export const IconTrash = iconOf(Trash2);
export const IconUndo = iconOf(Undo2);
export const IconRedo = iconOf(Redo2);
export const IconCamera = iconOf(Camera);
export const IconFullScreen = iconOf(Maximize2);
export const IconLeaveFullScreen = iconOf(Minimize2);
export const IconSettings = iconOf(Settings2);
export const IconPlay = iconOf(Play);
export const IconTwoCharts = iconOf(Columns2);
export const IconLink = iconOf(Link2);
export const IconUnlink = iconOf(Link2Off);
export const IconDraw = iconOf(Pencil);
export const IconLocate = iconOf(LocateFixed);
export const IconChevronUp = iconOf(ChevronUp);
