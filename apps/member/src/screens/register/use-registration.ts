import { showToast } from "@fairtick/ui";
import { useEffect } from "react";
import { codeWait } from "../../data/code-wait.ts";
import { sendCode } from "../../data/codes.ts";
import { useRegions } from "../../data/deployment.ts";
import { keepRegisterDraft, readRegisterDraft } from "../../data/register-draft.ts";
import { useChosenRegion, useLikelyRegion } from "../../data/regions.ts";
import { register, sessionToken, watchSession } from "../../data/session.ts";
import { goOnWelcoming } from "../../data/welcome.ts";
import { useAction } from "../../data/use-action.ts";
import { accountOf } from "../../shared/contact.ts";
import { useText } from "../../shared/i18n.ts";
import { placeAfterLogin } from "../../shared/place-after-login.ts";
import { serverNow } from "../../shared/server-clock.ts";
import { useForm } from "../../shared/use-form.ts";
import { navigate, navigateTo, useIsHere, useSearch } from "../../shared/navigation.tsx";
import { reachProblems, secretProblems, type RegisterForm } from "./register-form.ts";

const EMPTY: RegisterForm = {
  region: "",
  channel: "email",
  dialCode: "",
  phone: "",
  email: "",
  code: "",
  password: "",
  confirmPassword: "",
  inviteCode: "",
  acceptTerms: false,
};

/**
 * The typed form. It survives a visit to the region screen or the texts, and its parts that aren't secret survive a
 * reload, both until someone is logged in: the next person on this device may be someone else.
 */
let draft: RegisterForm = { ...EMPTY, ...readRegisterDraft() };
watchSession(() => {
  if (sessionToken() !== null) draft = EMPTY;
});

/** Whether someone has registered on this tab. Going back must not show the form they have filled in. */
let isOver = false;

/** The registration's state and actions. `step` in the address says which of its two steps is shown. */
export function useRegistration() {
  const t = useText();
  const search = useSearch();
  const { next: wanted, inviteCode } = search;
  const region = useChosenRegion();
  const isRegionKnown = !useRegions().isPending;
  const iso2 = region?.iso2;
  const likely = useLikelyRegion();
  const action = useAction();
  const isHere = useIsHere();
  const state = useForm<RegisterForm>(() => ({ ...draft, inviteCode: draft.inviteCode || (inviteCode ?? "") }));
  const { values, set, setWrong, passes } = state;
  useKept(values, iso2, inviteCode);
  // Until the regions are loaded, the stored one counts as chosen.
  const kept = isRegionKnown ? "" : (readRegisterDraft().region ?? "");
  const form = { ...values, region: iso2 ?? kept, dialCode: values.dialCode || (likely?.dialCode ?? "") };
  const account = accountOf(form);
  const blocked = region?.policy === "blocked";
  // The address alone doesn't open the second step: without a valid first step there is nothing to confirm.
  const isSecond = search["step"] === "2" && !blocked && reachProblems(form).length === 0;
  useLeadOn(isSecond);

  function goOn() {
    if (!passes(reachProblems(form))) return;
    set("dialCode", form.dialCode);
    const toSecond = () => navigate({ to: "/pages/index/Register", search: { ...search, step: "2" } });
    // A code was sent already: the member went back from the second step, or undid a correction.
    if (codeWait(account) > serverNow()) return toSecond();
    void action
      .run(
        async () => {
          await sendCode({ channel: form.channel, to: account, region: form.region, purpose: "register" });
          showToast(t("account.codeSent", { to: account }));
        },
        setWrong,
        "account.timedOutCode",
      )
      // If it was refused for being too soon, the next step shows the wait. The code sent before is still valid.
      .then((done) => {
        if (isHere() && (done || codeWait(account) > serverNow())) toSecond();
      });
  }

  function create() {
    if (!passes([...reachProblems(form), ...secretProblems(form)])) return;
    void action
      .run(() => register(sentOf(form)), setWrong, "account.timedOutRegister")
      .then((done) => {
        if (!done) return;
        draft = EMPTY;
        isOver = true;
        showToast(t("common.registerSuccessful"));
        const place = placeAfterLogin(wanted);
        const goes = isHere();
        // Members who came to place an order go straight there; others are offered one on the home screen.
        goOnWelcoming(goes && place.startsWith("/pages/trade/") ? "choose" : "due");
        if (goes) navigateTo(place, { replace: true });
      });
  }
  return { state, form, region, blocked, isSecond, busy: action.busy, submit: isSecond ? create : goOn };
}

/** Leads members who return to a finished registration onwards, even if its last screen was never rendered. */
function useLeadOn(isSecond: boolean): void {
  useEffect(() => {
    if (isSecond || !isOver) return;
    isOver = false;
    if (sessionToken() !== null) navigate({ to: "/pages/home/index", replace: true });
  }, [isSecond]);
}

/** Stores what was typed while nobody is logged in. */
function useKept(values: RegisterForm, iso2: string | undefined, inviteCode: string | undefined): void {
  useEffect(() => {
    draft = values;
    // Don't store a code from the address: another link opened on this tab may bring another.
    const ownCode = values.inviteCode === inviteCode ? "" : values.inviteCode;
    keepRegisterDraft({ ...values, region: iso2, inviteCode: ownCode });
  }, [values, iso2, inviteCode]);
}

/** Returns the fields for the call. */
function sentOf(form: RegisterForm) {
  return {
    region: form.region,
    channel: form.channel,
    [form.channel]: accountOf(form),
    code: form.code.trim(),
    password: form.password,
    confirmPassword: form.confirmPassword,
    inviteCode: form.inviteCode.trim() || undefined,
    acceptTerms: true,
  } as const;
}
