/* Icons that only single screens use, loaded with the first of those screens. */
import {
  ArrowUp,
  ChartCandlestick,
  ChartSpline,
  Check,
  CircleQuestionMark,
  Clock,
  Copy,
  Download,
  Eye,
  EyeOff,
  FileDown,
  Globe,
  IdCard,
  KeyRound,
  Lock,
  LogOut,
  Minus,
  Paperclip,
  Plus,
  ReceiptText,
  Scale,
  Search,
  Share2,
  ShieldCheck,
  SlidersHorizontal,
  SquareArrowOutUpRight,
  Star,
  Users,
  Wallet,
} from "lucide";
import { filled, iconOf } from "./glyph.ts";

// Fields and lists.
export const IconCheck = iconOf(Check);
export const IconCopy = iconOf(Copy);
export const IconEye = iconOf(Eye);
export const IconEyeOff = iconOf(EyeOff);
export const IconMinus = iconOf(Minus);
export const IconPlus = iconOf(Plus);
export const IconSearch = iconOf(Search);

// Markets and charts.
export const IconCandles = iconOf(ChartCandlestick);
export const IconIndicators = iconOf(ChartSpline);
export const IconClock = iconOf(Clock);
export const IconStar = iconOf(Star);
export const IconStarOn = iconOf(filled(Star));

// Files, messages and links.
export const IconClip = iconOf(Paperclip);
export const IconDownload = iconOf(Download);
export const IconExport = iconOf(FileDown);
export const IconExternal = iconOf(SquareArrowOutUpRight);
export const IconSend = iconOf(ArrowUp);
export const IconShare = iconOf(Share2);

// Account, money and security.
export const IconGlobe = iconOf(Globe);
export const IconHelp = iconOf(CircleQuestionMark);
export const IconId = iconOf(IdCard);
export const IconKey = iconOf(KeyRound);
export const IconLimits = iconOf(SlidersHorizontal);
export const IconLock = iconOf(Lock);
export const IconLogout = iconOf(LogOut);
export const IconMembers = iconOf(Users);
export const IconRecords = iconOf(ReceiptText);
export const IconScale = iconOf(Scale);
export const IconShield = iconOf(ShieldCheck);
export const IconWallet = iconOf(Wallet);
