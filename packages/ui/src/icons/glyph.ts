import type { IconNode } from "lucide";
import { createElement } from "react";

/** Props of a line icon. It takes the colour of the text around it. */
export interface IconProps {
  /** 24 px by default; `small` is 20, `tiny` is 16. */
  readonly size?: "small" | "tiny";
  readonly className?: string;
}

/**
 * Draws an icon from its shapes, which are given on a 24 × 24 grid. Icons are hidden from screen readers, because the
 * text beside an icon or the button's label says what it means.
 */
export function Glyph({ size, className, shapes }: IconProps & { readonly shapes: IconNode }) {
  const names = ["icon", size, className].filter(Boolean).join(" ");
  return createElement(
    "svg",
    { className: names, viewBox: "0 0 24 24", "aria-hidden": true },
    ...shapes.map(([tag, attributes]) => createElement(tag, attributes)),
  );
}

/** Makes the component that draws these shapes. Bundlers drop icons that aren't used. */
/* @__NO_SIDE_EFFECTS__ */
export function iconOf(shapes: IconNode): (props: IconProps) => ReturnType<typeof Glyph> {
  return (props) => Glyph({ ...props, shapes });
}

/** Returns the same shapes filled with the text's colour, because the library has outlines only. */
/* @__NO_SIDE_EFFECTS__ */
export function filled(shapes: IconNode): IconNode {
  return shapes.map(([tag, attributes]) => [tag, { ...attributes, fill: "currentColor" }]);
}
