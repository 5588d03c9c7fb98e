import { Glyph, type IconProps } from "./glyph.tsx";

export function IconSend(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 19V5m-6 6 6-6 6 6" />
    </Glyph>
  );
}

export function IconPhoto(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <rect x="3.5" y="6.5" width="17" height="13" rx="2" />
        <path d="m8.5 6.5 1.3-2.5h4.4l1.3 2.5" />
        <circle cx="12" cy="13" r="3.25" />
      </>
    </Glyph>
  );
}

export function IconGlobe(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="12" cy="12" r="8.25" />
        <path d="M3.75 12h16.5M12 3.75c2.4 2.2 3.6 5 3.6 8.25s-1.2 6-3.6 8.25c-2.4-2.2-3.6-5-3.6-8.25s1.2-6 3.6-8.25z" />
      </>
    </Glyph>
  );
}

export function IconHelp(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="12" cy="12" r="8.25" />
        <path d="M9.6 9.6a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M12 16.4v.1" />
      </>
    </Glyph>
  );
}

export function IconLogout(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M14 4.5H6.5a1.5 1.5 0 0 0-1.5 1.5v12a1.5 1.5 0 0 0 1.5 1.5H14M10.5 12H20m-3.5-3.5L20 12l-3.5 3.5" />
    </Glyph>
  );
}

export function IconId(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
        <circle cx="8.75" cy="11" r="2" />
        <path d="M5.75 15.75c.5-1.3 1.6-2 3-2s2.5.7 3 2M14.5 10h3.5M14.5 13.5h3.5" />
      </>
    </Glyph>
  );
}

export function IconLimits(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M4 8h9m5 0h2M4 16h2m5 0h9" />
        <circle cx="15.5" cy="8" r="2.5" />
        <circle cx="8.5" cy="16" r="2.5" />
      </>
    </Glyph>
  );
}

export function IconIndicators(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M3.5 16c3 0 3-8 6-8s3 6 6 6 2.5-4 5-4" />
        <path d="M3.5 20h17" opacity=".5" />
      </>
    </Glyph>
  );
}

export function IconCandles(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M8 4v3m0 8v5M16 4v4m0 8v4" />
        <rect x="6" y="7" width="4" height="8" rx=".8" />
        <rect x="14" y="8" width="4" height="8" rx=".8" />
      </>
    </Glyph>
  );
}

export function IconClock(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="12" cy="12" r="8.25" />
        <path d="M12 7.5V12l3 2" />
      </>
    </Glyph>
  );
}

export function IconFilter(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 7h16M7 12h10M10 17h4" />
    </Glyph>
  );
}

export function IconExport(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 14V4M8.5 7.5 12 4l3.5 3.5M7 11H5.5v9h13v-9H17" />
    </Glyph>
  );
}

export function IconExpand(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M14 4.5h5.5V10M10 19.5H4.5V14M19.5 4.5l-6.5 6.5M4.5 19.5 11 13" />
    </Glyph>
  );
}

export function IconNews(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M4.5 9.5v5h3l7 4V5.5l-7 4z" />
        <path d="M18 9.5c1.3 1.3 1.3 3.7 0 5" />
      </>
    </Glyph>
  );
}

export function IconKey(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="8" cy="15.5" r="3.75" />
        <path d="m10.7 12.8 8.3-8.3M16 7.5l2.5 2.5" />
      </>
    </Glyph>
  );
}

export function IconExternal(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M13.5 4.5h6v6M19.5 4.5 11 13M17.5 14v4.5a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1H10" />
    </Glyph>
  );
}

export function IconWallet(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M4 7.5V18a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 18V9a1.5 1.5 0 0 0-1.5-1.5z" />
        <path d="M4 7.5A2 2 0 0 1 6 5h11v2.5M16 13.5h.1" />
      </>
    </Glyph>
  );
}

export function IconMembers(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="9" cy="9" r="3.25" />
        <path d="M3 19c.6-3 2.9-4.75 6-4.75S14.4 16 15 19M15.5 6.2a3 3 0 0 1 0 5.6M17.5 14.8c1.8.7 3 2.2 3.5 4.2" />
      </>
    </Glyph>
  );
}

export function IconScale(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 4.5v15M8 19.5h8M5 7.5h14M5 7.5 2.75 13a2.5 2.5 0 0 0 4.5 0zM19 7.5 16.75 13a2.5 2.5 0 0 0 4.5 0z" />
    </Glyph>
  );
}

export function IconEyeOff(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
        <circle cx="12" cy="12" r="2.75" />
        <path d="m4.5 19.5 15-15" />
      </>
    </Glyph>
  );
}
