import { createContext, lazy, Suspense, useContext, useState, type ReactNode } from "react";

const SheetDialog = lazy(async () => {
  const part = await import("./sheet-dialog.tsx");
  return { default: part.SheetDialog };
});

/** The element that sheets cover: the app's root, and what stands in it. */
export const SheetFrame = createContext<HTMLElement | null>(null);

export interface SheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** Names the cross: "Close". */
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** Slides over the page from below, holds the focus and gives it back. Its code is fetched when first opened. */
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
