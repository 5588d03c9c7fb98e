import { Glyph, type IconProps } from "./glyph.tsx";

export function IconBell(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15z" />
        <path d="M10 20.5h4" />
      </>
    </Glyph>
  );
}

export function IconDeposit(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M12 4v10m-4-4 4 4 4-4" />
        <path d="M4.5 15.5V18a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-2.5" />
      </>
    </Glyph>
  );
}

export function IconWithdraw(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M12 14V4M8 8l4-4 4 4" />
        <path d="M4.5 15.5V18a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-2.5" />
      </>
    </Glyph>
  );
}

export function IconChat(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M5 5h14a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 19 17h-6.5L8 20.5V17H5a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 5 5z" />
        <path d="M8 9.5h8M8 12.5h5" />
      </>
    </Glyph>
  );
}

export function IconInvite(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="10" cy="8.5" r="3.5" />
        <path d="M3.5 19.5c.7-3.2 3.2-5 6.5-5 1.6 0 3 .4 4.1 1.2" />
        <path d="M18 14v6m-3-3h6" />
      </>
    </Glyph>
  );
}

export function IconDownload(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <rect x="7" y="3.5" width="10" height="17" rx="2" />
        <path d="M12 7.5v6m-2.25-2.25L12 13.5l2.25-2.25M11 17.5h2" />
      </>
    </Glyph>
  );
}

export function IconSearch(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="11" cy="11" r="6.5" />
        <path d="m16 16 4.5 4.5" />
      </>
    </Glyph>
  );
}

export function IconStar(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m12 4 2.4 5.1 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.8l5.6-.7z" />
    </Glyph>
  );
}

export function IconStarOn(props: IconProps) {
  return (
    <Glyph {...props}>
      <path fill="currentColor" d="m12 4 2.4 5.1 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.8l5.6-.7z" />
    </Glyph>
  );
}

export function IconChevronRight(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m10 7 5 5-5 5" />
    </Glyph>
  );
}

export function IconClose(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m6.5 6.5 11 11m0-11-11 11" />
    </Glyph>
  );
}

export function IconCheck(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m5.5 12.5 4.5 4.5 8.5-9.5" />
    </Glyph>
  );
}

export function IconShield(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M12 3.5 19 6v5.5c0 4.2-2.8 7.2-7 9-4.2-1.8-7-4.8-7-9V6z" />
        <path d="m9 12 2.2 2.2 4-4.4" />
      </>
    </Glyph>
  );
}

export function IconCopy(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
        <path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1" />
      </>
    </Glyph>
  );
}

export function IconEye(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
        <circle cx="12" cy="12" r="2.75" />
      </>
    </Glyph>
  );
}

export function IconLock(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
        <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2" />
      </>
    </Glyph>
  );
}

export function IconPlus(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 6v12M6 12h12" />
    </Glyph>
  );
}

export function IconMinus(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M6 12h12" />
    </Glyph>
  );
}

export function IconClip(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m19.5 11-7.7 7.7a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-8 8a1.55 1.55 0 0 1-2.2-2.2l7.3-7.3" />
    </Glyph>
  );
}
