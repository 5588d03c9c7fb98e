import { APP_VERSION } from "@fairtick/protocol";
import { Button, IconCheck, IconApp, Notice } from "@fairtick/ui";
import { useSyncExternalStore } from "react";
import { QrCode } from "../../components/qr/QrCode.tsx";
import { useDeployment } from "../../data/deployment.ts";
import { install, installOffer, watchInstallOffer } from "../../data/install.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import "./download.css";

const IOS_STEPS = ["install.ios1", "install.ios2", "install.ios3"] as const;

/** Returns whether this is an iOS device. iPads identify themselves as Macs, but Macs have no touch screen. */
function isIos(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  );
}

/** Explains how to install the app, and shows its version. */
export function DownloadScreen() {
  const t = useText();
  const newest = useDeployment();
  const isNewest = newest !== undefined && newest.versionCode <= APP_VERSION.versionCode;
  return (
    <Screen title={t("install.title")} pushed backTo="/pages/home/index" noWallet toRead>
      <div className="stack download-page">
        <p>{t("install.intro")}</p>
        <Here />
        {!isIos() && <IosSteps />}
        <section className="card download-qr">
          <h2 className="title">{t("install.phone")}</h2>
          <QrCode text={`${location.origin}/`} label={t("install.qr")} />
          <p className="label">{t("install.phoneNote")}</p>
          <p className="code">{location.origin}</p>
        </section>
        <p className="note soft download-version">
          {t("install.version", { version: APP_VERSION.version, code: APP_VERSION.versionCode })}
          {isNewest && <span className="block">{t("install.newest")}</span>}
        </p>
      </div>
    </Screen>
  );
}

/** The instructions for this browser. */
function Here() {
  const t = useText();
  const offer = useSyncExternalStore(watchInstallOffer, installOffer);
  if (matchMedia("(display-mode: standalone)").matches) {
    return (
      <p className="notice">
        <IconCheck />
        <span>{t("install.installed")}</span>
      </p>
    );
  }
  if (offer !== null) {
    return (
      <Button look="main" onClick={() => void install()}>
        <IconApp size="small" />
        {t("install.install")}
      </Button>
    );
  }
  return isIos() ? <IosSteps /> : <Notice>{t("install.menu")}</Notice>;
}

function IosSteps() {
  const t = useText();
  return (
    <section className="card stack">
      <h2 className="title">{t("install.ios")}</h2>
      <ol className="download-steps">
        {IOS_STEPS.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
    </section>
  );
}
