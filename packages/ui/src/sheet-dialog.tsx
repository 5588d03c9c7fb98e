import { IconClose } from "./icons/shell.ts";
import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useRef } from "react";
import { openEntry } from "./sheet-history.ts";
import type { SheetProps } from "./sheet.tsx";
import "./styles/sheet.css";

/** The sheet itself; use Sheet, which fetches it. */
export function SheetDialog({
  open,
  onClose,
  title,
  closeLabel,
  children,
  frame,
}: SheetProps & { readonly frame: HTMLElement | null }) {
  useOwnEntry(open, onClose);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal container={frame}>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="sheet">
          <div className="sheet-head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="bar-button" aria-label={closeLabel}>
              <IconClose />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Going back closes what lies on top, not the screen under it: by a desktop's button as by a phone's gesture. */
function useOwnEntry(open: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffect(
    () =>
      open
        ? openEntry(() => {
            close.current();
          })
        : undefined,
    [open],
  );
}
