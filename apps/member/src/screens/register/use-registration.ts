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
import { navigate, navigateTo, useSearch } from "../../shared/navigation.tsx";
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
 * What was typed survives a look at the region screen or at the texts, and what is no secret of it a reload; both until
 * somebody is logged in: the next one on this device may be another.
 */
let draft: RegisterForm = { ...EMPTY, ...readRegisterDraft() };
watchSession(() => {
  if (sessionToken() !== null) draft = EMPTY;
});

/** Somebody has registered on this tab: back from there leads to no form that they have filled in already. */
let isOver = false;

/** What the registration knows and does; `step` of the address says which of its two steps is shown. */
export function useRegistration() {
  const t = useText();
  const search = useSearch();
  const { next: wanted, inviteCode } = search;
  const region = useChosenRegion();
  const isRegionKnown = !useRegions().isPending;
  const iso2 = region?.iso2;
  const likely = useLikelyRegion();
  const action = useAction();
  const state = useForm<RegisterForm>(() => ({ ...draft, inviteCode: draft.inviteCode || (inviteCode ?? "") }));
  const { values, set, setWrong, passes } = state;
  useKept(values, iso2, inviteCode);
  // Until the regions are here, the one that this tab kept stands for the choice.
  const kept = isRegionKnown ? "" : (readRegisterDraft().region ?? "");
  const form = { ...values, region: iso2 ?? kept, dialCode: values.dialCode || (likely?.dialCode ?? "") };
  const account = accountOf(form);
  const blocked = region?.policy === "blocked";
  // An address alone brings nobody past the first step: without what that asks for there is nothing to confirm.
  const isSecond = search["step"] === "2" && !blocked && reachProblems(form).length === 0;
  useLeadOn(isSecond);

  function goOn() {
    if (!passes(reachProblems(form))) return;
    set("dialCode", form.dialCode);
    const toSecond = () => navigate({ to: "/pages/index/Register", search: { ...search, step: "2" } });
    // A code is on its way already: back from the second step, or a correction taken back.
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
      // Refused for being too soon after another, it waits on the next step: what was sent before still holds.
      .then((done) => {
        if (done || codeWait(account) > serverNow()) toSecond();
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
        // Who came to place an order is there at once; anybody else is offered one on home.
        goOnWelcoming(place.startsWith("/pages/trade/") ? "choose" : "due");
        navigateTo(place, { replace: true });
      });
  }
  return { state, form, region, blocked, isSecond, busy: action.busy, submit: isSecond ? create : goOn };
}

/** Leads on who comes back to a registration that is done: also who was so quick that the screen after it was never drawn. */
function useLeadOn(isSecond: boolean): void {
  useEffect(() => {
    if (isSecond || !isOver) return;
    isOver = false;
    if (sessionToken() !== null) navigate({ to: "/pages/home/index", replace: true });
  }, [isSecond]);
}

/** Keeps what was typed for as long as nobody is logged in. */
function useKept(values: RegisterForm, iso2: string | undefined, inviteCode: string | undefined): void {
  useEffect(() => {
    draft = values;
    // A code that the address brings is not kept: another link that is followed on this tab brings another.
    const ownCode = values.inviteCode === inviteCode ? "" : values.inviteCode;
    keepRegisterDraft({ ...values, region: iso2, inviteCode: ownCode });
  }, [values, iso2, inviteCode]);
}

/** As the call takes it. */
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
