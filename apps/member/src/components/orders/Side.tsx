import { Toward } from "@fairtick/ui";
import { useText } from "../../shared/i18n.ts";

/** An order's direction, or that it is sealed if this device doesn't know it. */
export function Side({ direction }: { readonly direction: "up" | "down" | null }) {
  const t = useText();
  if (direction === null) return <span className="soft">{t("shell.sealed")}</span>;
  return <Toward direction={direction}>{t(`shell.${direction}`)}</Toward>;
}
