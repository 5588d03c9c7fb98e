import { IconCopy } from "@fairtick/ui";
import { copyText } from "../shared/copy-text.ts";

/** Copies a text and confirms it. Disabled while there is no text. */
export function CopyLink({ text, children }: { readonly text: string | undefined; readonly children: string }) {
  return (
    <button
      type="button"
      className="link"
      disabled={text === undefined}
      onClick={() => {
        if (text !== undefined) void copyText(text);
      }}
    >
      <IconCopy size="tiny" />
      {children}
    </button>
  );
}
