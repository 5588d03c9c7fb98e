/* The icons of the shell and the home screen: part of the first load. */
import { Glyph, type IconProps } from "./glyph.tsx";

export function IconHome(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M4 10.5 12 4l8 6.5V19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z" />
        <path d="M9.5 20v-5.5h5V20" />
      </>
    </Glyph>
  );
}

export function IconMarket(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M4 6h9M4 12h9M4 18h9" />
        <path d="m16.5 8 2-2.5 2 2.5M18.5 5.5v13m-2-2.5 2 2.5 2-2.5" />
      </>
    </Glyph>
  );
}

export function IconTrade(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M7 4v3m0 9v4M17 4v5m0 7v4" />
        <rect x="4.5" y="7" width="5" height="9" rx="1" />
        <rect x="14.5" y="9" width="5" height="7" rx="1" />
      </>
    </Glyph>
  );
}

export function IconOrders(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <rect x="5" y="4" width="14" height="16" rx="2" />
        <path d="M9 9h6M9 12.5h6M9 16h3.5" />
      </>
    </Glyph>
  );
}

export function IconMine(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="12" cy="8.5" r="3.75" />
        <path d="M4.75 20c.8-3.6 3.7-5.5 7.25-5.5s6.45 1.9 7.25 5.5" />
      </>
    </Glyph>
  );
}

export function IconChevronDown(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m7 10 5 5 5-5" />
    </Glyph>
  );
}

export function IconBack(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M19 12H5m6-6-6 6 6 6" />
    </Glyph>
  );
}

export function IconWarning(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M12 4.5 21 19.5H3z" />
        <path d="M12 10.5v4M12 17v.1" />
      </>
    </Glyph>
  );
}

export function IconInfo(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="12" cy="12" r="8.25" />
        <path d="M12 11.2v5M12 7.9v.1" />
      </>
    </Glyph>
  );
}

export function IconRefresh(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M19 12a7 7 0 1 1-2-4.9L19.5 9.5M19.5 4.5v5h-5" />
    </Glyph>
  );
}

export function IconStopwatch(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <circle cx="12" cy="13.5" r="7" />
        <path d="M12 13.5V9.5M10 3.5h4M12 3.5v3M17.8 6.8l1.2 1.2" />
      </>
    </Glyph>
  );
}

export function IconRecords(props: IconProps) {
  return (
    <Glyph {...props}>
      <>
        <path d="M5 4h14v16.5l-2.3-1.5-2.4 1.5-2.3-1.5-2.3 1.5-2.4-1.5L5 20.5z" />
        <path d="M9 8.5h6M9 12h6" />
      </>
    </Glyph>
  );
}
