import { IconClose } from "./icons-more.tsx";
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
  useCloseRequest(open, onClose);
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

/** Chromium's; for browsers without such requests an entry of the history stands in. */
interface CloseWatcher extends EventTarget {
  destroy(): void;
}
declare global {
  interface Window {
    CloseWatcher?: new () => CloseWatcher;
  }
}

/** Going back closes what lies on top, not the screen under it. */
function useCloseRequest(open: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffect(() => {
    if (!open) return undefined;
    if (window.CloseWatcher === undefined)
      return openEntry(() => {
        close.current();
      });
    const watcher = new window.CloseWatcher();
    watcher.addEventListener("close", () => {
      close.current();
    });
    return () => {
      watcher.destroy();
    };
  }, [open]);
}
