import { IconCopy } from "@fairtick/ui";
import { copyText } from "../shared/copy-text.ts";

/** Copies a text, and says so; off while there is none yet. */
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
