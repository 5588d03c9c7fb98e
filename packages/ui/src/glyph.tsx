import type { ReactNode } from "react";

/**
 * Line icons on a 24 × 24 grid, drawn with the text's colour. Each is its own component, so a bundle
 * carries only the ones it draws. They are decoration: the words beside them, or the button's label, name them.
 */
export interface IconProps {
  /** 24 px unless told; small 20, tiny 16. */
  readonly size?: "small" | "tiny";
  readonly className?: string;
}

export function Glyph({ size, className, children }: IconProps & { readonly children: ReactNode }) {
  const names = ["icon", size, className].filter(Boolean).join(" ");
  return (
    <svg className={names} viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}
