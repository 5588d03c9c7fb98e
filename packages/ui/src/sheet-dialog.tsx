import { IconClose } from "./icons/shell.ts";
import { Dialog } from "@base-ui/react/dialog";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { openEntry } from "./sheet-history.ts";
import type { SheetProps } from "./sheet.tsx";
import "./styles/sheet.css";

/** The sheet itself. Use `Sheet`, which loads it on demand. */
export function SheetDialog({
  open,
  onClose,
  stays = false,
  title,
  closeLabel,
  first,
  children,
  frame,
}: SheetProps & { readonly frame: HTMLElement | null }) {
  const [stepsBack, setStepsBack] = useState(0);
  const finalFocus = useFocusBefore(open);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      {open && (
        <OwnEntry
          // A step back takes the entry, so a sheet that stays needs another.
          key={stepsBack}
          onBack={() => {
            onClose();
            if (stays) setStepsBack(stepsBack + 1);
          }}
        />
      )}
      <Dialog.Portal container={frame}>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="sheet" initialFocus={first} finalFocus={finalFocus}>
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

/**
 * Makes going back close the topmost sheet instead of the screen under it, by a desktop's button as well as a phone's
 * gesture.
 */
function OwnEntry({ onBack }: { readonly onBack: () => void }) {
  const back = useRef(onBack);
  useEffect(() => {
    back.current = onBack;
  }, [onBack]);
  useEffect(
    () =>
      openEntry(() => {
        back.current();
      }),
    [],
  );
  return null;
}

/**
 * Returns the focus to the element that had it when the sheet opened. The dialog itself returns it only to controls: if
 * the screen had the focus, the dialog would focus its first button, and the screen would no longer get its keys.
 */
function useFocusBefore(open: boolean): () => boolean {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement;
  }, [open]);
  return useCallback(() => {
    const { current } = before;
    const now = document.activeElement;
    // The focus has already moved to where the sheet led.
    if (now !== null && now !== document.body && now.closest('[role="dialog"]') === null) return false;
    if (!(current instanceof HTMLElement) || current.tabIndex >= 0 || current === document.body) return true;
    // Not before the dialog would do it: until then, nothing under the sheet can take the focus.
    queueMicrotask(() => {
      if (current.isConnected) current.focus({ preventScroll: true });
    });
    return false;
  }, []);
}
