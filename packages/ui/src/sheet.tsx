import { createContext, lazy, Suspense, useContext, useState, type ReactNode, type RefObject } from "react";

const SheetDialog = lazy(async () => {
  const part = await import("./sheet-dialog.tsx");
  return { default: part.SheetDialog };
});

/** The element that sheets cover, in which they are rendered: the app's root. */
export const SheetFrame = createContext<HTMLElement | null>(null);

export interface SheetProps {
  readonly open: boolean;
  /** Called on any attempt to close it: by its cross, a tap beside it, Escape or going back. */
  readonly onClose: () => void;
  /** Whether `onClose` doesn't close it, because only a button in it does. */
  readonly stays?: boolean | undefined;
  readonly title: ReactNode;
  /** Label of the close button, such as "Close". */
  readonly closeLabel: string;
  /** The control that has the focus when it opens; the close button if left out. */
  readonly first?: RefObject<HTMLElement | null> | undefined;
  readonly children: ReactNode;
}

/**
 * A panel that slides up over the page, traps the focus and returns it on closing. Its code is loaded when it is first
 * opened.
 */
export function Sheet(props: SheetProps) {
  const frame = useContext(SheetFrame);
  const [wanted, setWanted] = useState(false);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <SheetDialog {...props} frame={frame} />
    </Suspense>
  );
}
