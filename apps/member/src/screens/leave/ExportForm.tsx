import { Button, IconExport, showToast } from "@fairtick/ui";
import { FactorField } from "../../components/FactorField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { exportData } from "../../data/leave.ts";
import { useAction } from "../../data/use-action.ts";
import { useFactor } from "../../data/use-factor.ts";
import { useText } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";
import { useForm } from "../../shared/use-form.ts";
import "../../components/account.css";

/** Exports everything stored about the member. Requires the login password. */
export function ExportForm() {
  const t = useText();
  const action = useAction();
  const factor = useFactor();
  const { values, set, field, setWrong, passes } = useForm({ loginPassword: "" });

  function submit(passkey?: string) {
    const { loginPassword } = values;
    if (!passes(loginPassword === "" ? [{ field: "loginPassword", message: "fields.enter.loginPassword" }] : []))
      return;
    void action
      .run(async () => {
        saveFile(
          await factor.send((secondFactor) => exportData({ loginPassword, secondFactor }), passkey),
          "fairtick-data.zip",
        );
      }, setWrong)
      .then((done) => {
        if (!done) return;
        set("loginPassword", "");
        factor.setCode("");
        showToast(t("common.operationSuccessful"));
      });
  }

  return (
    <section className="card stack">
      <h2 className="title">{t("leave.export")}</h2>
      <p className="label">{t("leave.exportNote")}</p>
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <PasswordInput label={t("account.loginPassword")} {...field("loginPassword")} />
        <FactorField factor={factor} busy={action.busy} onPasskey={submit} />
        <Button look="tint" type="submit" disabled={action.busy}>
          <IconExport size="small" />
          {t("leave.download")}
        </Button>
      </form>
    </section>
  );
}
