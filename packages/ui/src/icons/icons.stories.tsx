import type { ReactNode } from "react";
import * as ui from "../index.ts";
import { Glyph, type IconProps } from "./glyph.ts";
import type { Stories } from "../story.ts";

const icons = Object.entries(ui).filter(([name]) => /^Icon[A-Z]/.test(name)) as [
  string,
  (props: IconProps) => ReactNode,
][];

function All({ size }: IconProps) {
  return (
    <ul className="story-icons">
      {icons.map(([name, Icon]) => (
        <li key={name}>
          <Icon {...(size && { size })} />
          <span className="note soft">{name.slice("Icon".length)}</span>
        </li>
      ))}
    </ul>
  );
}

export const stories = {
  Icons: {
    "24 px": () => <All />,
    small: () => <All size="small" />,
    tiny: () => <All size="tiny" />,
  },
  Glyph: {
    "shapes of our own": () => <Glyph shapes={[["path", { d: "M6 12h12" }]]} />,
  },
} satisfies Stories;
