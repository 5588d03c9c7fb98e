import { Button, IconLogout, showToast } from "@fairtick/ui";
import { logOut } from "../data/session.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../shared/i18n.ts";
import { navigate } from "../shared/navigation.tsx";

/** Logs out on this device and leads to the home screen. */
export function LogOutButton({ className }: { readonly className: string }) {
  const t = useText();
  const action = useAction();
  return (
    <Button
      className={className}
      disabled={action.busy}
      onClick={() => {
        void action.run(logOut).then((done) => {
          if (!done) return;
          showToast(t("common.operationSuccessful"));
          navigate({ to: "/pages/home/index", replace: true });
        });
      }}
    >
      <IconLogout size="small" />
      {t("mine.logout")}
    </Button>
  );
}
