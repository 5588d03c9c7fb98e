import { Button, Field, showToast } from "@fairtick/ui";
import { PasskeyError } from "../../data/passkey.ts";
import { addPasskey } from "../../data/second-factor.ts";
import { useText } from "../../shared/i18n.ts";
import { useForm } from "../../shared/use-form.ts";
import { useProof } from "./use-proof.tsx";

/**
 * Adds a passkey: a name and the password, then the browser asks for the authenticator. `onDone` gets recovery codes if
 * there were none.
 */
export function AddPasskey({ onDone }: { readonly onDone: (codes: readonly string[]) => void }) {
  const t = useText();
  const { values, set, wrong, passes } = useForm({ name: "" });
  const proof = useProof(async (given) => {
    try {
      const made = await addPasskey(values.name.trim(), given);
      showToast(t("common.successfullySet"));
      onDone(made);
    } catch (failure) {
      // The browser's own failures aren't the server's, which are reported for every form.
      if (!(failure instanceof PasskeyError)) throw failure;
      showToast(failure.message);
    }
  });
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (passes(values.name.trim() === "" ? [{ field: "name", message: "fields.enter.name" }] : []))
          void proof.submit();
      }}
    >
      <Field
        label={t("fields.name")}
        hint={t("factor.passkeyNameHint")}
        maxLength={40}
        autoComplete="off"
        value={values.name}
        wrong={wrong.name}
        onChange={(event) => {
          set("name", event.currentTarget.value);
        }}
      />
      {proof.fields}
      <Button look="main" type="submit" disabled={proof.busy}>
        {t("factor.addPasskey")}
      </Button>
    </form>
  );
}
