import { Switch } from "@fairtick/ui";
import { changeSettings, useSettings } from "../../data/settings.ts";
import { useText } from "../../shared/i18n.ts";
import "./settings.css";

/** A switch for one setting, with its effect, used in the settings and elsewhere. A change takes effect at once. */
export function SettingSwitch({ name }: { readonly name: "sounds" | "haptics" | "confirmOrders" | "sealUntilEnd" }) {
  const t = useText();
  const isOn = useSettings()[name];
  return (
    <div className="row setting" data-testid={`setting-${name}`}>
      <span className="grow">
        <span className="block">{t(`mine.${name}`)}</span>
        <span className="note soft block">{t(`mine.${name}Note`)}</span>
      </span>
      <Switch
        label={t(`mine.${name}`)}
        on={isOn}
        onChange={(on) => {
          changeSettings({ [name]: on });
        }}
      />
    </div>
  );
}
