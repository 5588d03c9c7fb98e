import { Toward } from "@fairtick/ui";
import { useText } from "../../shared/i18n.ts";

/** An order's direction; of a sealed one that this device does not know, that it is sealed. */
export function Side({ direction }: { readonly direction: "up" | "down" | null }) {
  const t = useText();
  if (direction === null) return <span className="soft">{t("shell.sealed")}</span>;
  return <Toward direction={direction}>{t(`shell.${direction}`)}</Toward>;
}
