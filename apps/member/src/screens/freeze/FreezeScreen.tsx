import { Button, EmptyState, Notice } from "@fairtick/ui";
import { useState } from "react";
import { freezeByLink } from "../../data/security.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../shared/i18n.ts";
import { Link, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import "../../components/account.css";

/**
 * Opened by the link in a warning. Opening it changes nothing, because mail scanners open links too, but press no
 * button.
 */
export function FreezeScreen() {
  const t = useText();
  const { token = "" } = useSearch();
  const action = useAction();
  const [done, setDone] = useState(false);
  const isLink = /^[A-Za-z0-9_-]{43}$/.test(token);
  return (
    <Screen
      title={t("freeze.title")}
      pushed
      backTo="/pages/home/index"
      noWallet
      foot={
        isLink &&
        !done && (
          <Button
            look="main"
            disabled={action.busy}
            onClick={() => {
              void action
                .run(() => freezeByLink(token))
                .then((frozen) => {
                  if (frozen) setDone(true);
                });
            }}
          >
            {t("freeze.button")}
          </Button>
        )
      }
    >
      {done ? (
        <EmptyState
          title={t("freeze.done")}
          action={
            <Link className="button tint lowkey" to="/pages/index/ForgetPwd">
              {t("freeze.newPassword")}
            </Link>
          }
        >
          {t("freeze.doneMore")}
        </EmptyState>
      ) : (
        <div className="form">{isLink ? <p>{t("freeze.why")}</p> : <Notice>{t("freeze.noLink")}</Notice>}</div>
      )}
    </Screen>
  );
}
