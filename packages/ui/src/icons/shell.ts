/* Icons of every route or the home screen. They are part of the first load, so an icon of a single screen belongs
   elsewhere. */
import {
  ArrowDownToLine,
  ArrowLeft,
  ArrowUpDown,
  ArrowUpFromLine,
  Bell,
  ChartNoAxesColumn,
  ChevronDown,
  ChevronRight,
  ClipboardList,
  House,
  Info,
  Megaphone,
  MessageSquareText,
  RotateCw,
  Smartphone,
  Timer,
  TriangleAlert,
  UserPlus,
  UserRound,
  X,
} from "lucide";
import { iconOf } from "./glyph.ts";

// The tabs.
export const IconHome = iconOf(House);
export const IconMarket = iconOf(ChartNoAxesColumn);
export const IconTrade = iconOf(ArrowUpDown);
export const IconOrders = iconOf(ClipboardList);
export const IconMine = iconOf(UserRound);

// Bars, rows and sheets.
export const IconBack = iconOf(ArrowLeft);
export const IconBell = iconOf(Bell);
export const IconChevronDown = iconOf(ChevronDown);
export const IconChevronRight = iconOf(ChevronRight);
export const IconClose = iconOf(X);

// States and messages.
export const IconInfo = iconOf(Info);
export const IconRefresh = iconOf(RotateCw);
export const IconWarning = iconOf(TriangleAlert);

// The home screen.
export const IconDeposit = iconOf(ArrowDownToLine);
export const IconWithdraw = iconOf(ArrowUpFromLine);
export const IconChat = iconOf(MessageSquareText);
export const IconInvite = iconOf(UserPlus);
export const IconStopwatch = iconOf(Timer);
export const IconApp = iconOf(Smartphone);
export const IconNews = iconOf(Megaphone);
