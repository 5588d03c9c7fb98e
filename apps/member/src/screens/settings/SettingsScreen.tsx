import { IconChevronRight, IconLimits, IconMine, Segments } from "@fairtick/ui";
import { NotificationsSwitch } from "../../components/settings/NotificationsSwitch.tsx";
import { SettingSwitch } from "../../components/settings/SettingSwitch.tsx";
import { Link } from "../../shared/navigation.tsx";
import { useLoggedIn } from "../../data/session.ts";
import { changeSettings, useSettings, type Settings } from "../../data/settings.ts";
import { formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import "./settings.css";

const THEMES = ["system", "light", "dark"] as const;
const TEXT_SIZES = ["100", "115", "130", "150", "175", "200"] as const;
const COLOURS = ["auto", "greenUp", "redUp"] as const;
const SWITCHES = ["sounds", "haptics", "confirmOrders", "sealUntilEnd"] as const;

/** How the app looks, sounds and asks for confirmation. Each change takes effect at once. */
export function SettingsScreen() {
  const t = useText();
  const settings = useSettings();
  const loggedIn = useLoggedIn();
  return (
    <Screen title={t("mine.settingsTitle")} pushed broad backTo="/pages/user/index" noWallet>
      <div className="columns">
        <div>
          <h2 className="section">{t("mine.theme")}</h2>
          <Segments<Settings["theme"]>
            label={t("mine.theme")}
            value={settings.theme}
            onChange={(theme) => {
              changeSettings({ theme });
            }}
            choices={THEMES.map((value) => ({ value, label: t(`mine.theme.${value}`) }))}
          />
          <h2 className="section">{t("mine.textSize")}</h2>
          <Segments<Settings["textSize"]>
            label={t("mine.textSize")}
            value={settings.textSize}
            onChange={(textSize) => {
              changeSettings({ textSize });
            }}
            choices={TEXT_SIZES.map((value) => ({ value, label: formatRate(String(Number(value) / 100)) }))}
          />
          <p className="hint settings-sample">{t("mine.textSizeSample")}</p>
          <h2 className="section">{t("mine.priceColours")}</h2>
          <Segments<Settings["priceColours"]>
            label={t("mine.priceColours")}
            value={settings.priceColours}
            onChange={(priceColours) => {
              changeSettings({ priceColours });
            }}
            choices={COLOURS.map((value) => ({ value, label: t(`mine.priceColours.${value}`) }))}
          />
        </div>
        <div>
          <div className="group settings-switches">
            {SWITCHES.map((name) => (
              <SettingSwitch key={name} name={name} />
            ))}
            {loggedIn && <NotificationsSwitch />}
          </div>
          {loggedIn && (
            <nav className="group settings-switches">
              <Link className="row low" to="/pages/settings/limits">
                <IconLimits size="small" className="soft" />
                <span className="grow">{t("limits.title")}</span>
                <IconChevronRight size="tiny" className="soft" />
              </Link>
              <Link className="row low" to="/pages/user/data">
                <IconMine size="small" className="soft" />
                <span className="grow">{t("leave.title")}</span>
                <IconChevronRight size="tiny" className="soft" />
              </Link>
            </nav>
          )}
        </div>
      </div>
    </Screen>
  );
}
