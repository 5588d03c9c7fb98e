import { Button, IconDownload } from "@fairtick/ui";
import type { fileGet } from "@fairtick/protocol";
import { askBytes } from "../../data/transport.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";

/** A document in the chat. It can be saved, but is never displayed by the app. */
export function DocumentOf({ fileId, name }: { readonly fileId: string; readonly name: string }) {
  const t = useText();
  const action = useAction();
  return (
    <Button
      lowkey
      off={action.busy}
      onClick={() => {
        void action.run(async () => {
          saveFile(await askBytes<typeof fileGet>("file/get", { fileId }), name);
        });
      }}
    >
      <IconDownload size="small" />
      <span className="said-file">
        <span className="unseen">{t("chat.save")} </span>
        <bdi>{name}</bdi>
      </span>
    </Button>
  );
}
