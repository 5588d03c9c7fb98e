import { translate } from "@fairtick/i18n/server";
import { describe, expect, it } from "vitest";
import {
  type LoginPasswordForm,
  loginPasswordProblems,
  type PaymentPasswordForm,
  paymentPasswordFormProblems,
  type PaymentPasswordMode,
} from "./password-forms.ts";

const LOGIN: LoginPasswordForm = {
  oldPassword: "slate-harbour",
  password: "amber-canyon",
  confirmPassword: "amber-canyon",
};
const PAYMENT: PaymentPasswordForm = {
  channel: "email",
  dialCode: "",
  phone: "",
  email: "m@example.com",
  oldPassword: "111222",
  code: "123456",
  loginPassword: "slate-harbour",
  password: "482915",
  confirmPassword: "482915",
};
const said = (problems: readonly { message: Parameters<typeof translate>[1]; values?: object | undefined }[]) =>
  problems.map(({ message, values }) => translate("en", message, { ...values }));

describe("the login password", () => {
  it.each<[Partial<LoginPasswordForm>, string[]]>([
    [{}, []],
    [{ oldPassword: "" }, ["Enter current password"]],
    [{ password: "" }, ["Enter new password"]],
    [{ password: "short" }, ["Use at least 8 characters for your password"]],
    [{ confirmPassword: "amber-canyons" }, ["Passwords do not match"]],
    [{ oldPassword: "", password: "" }, ["Enter current password", "Enter new password"]],
  ])("%j: %j", (change, messages) => {
    expect(said(loginPasswordProblems({ ...LOGIN, ...change }))).toEqual(messages);
  });
});

describe("the transaction password", () => {
  it.each<[PaymentPasswordMode, Partial<PaymentPasswordForm>, string[]]>([
    ["set", {}, []],
    ["set", { password: "" }, ["Enter payment password"]],
    ["set", { password: "12345", confirmPassword: "12345" }, ["The password has 6 digits"]],
    ["set", { confirmPassword: "482916" }, ["Passwords do not match"]],
    ["set", { loginPassword: "" }, ["Enter login password"]],
    ["set", { password: "", loginPassword: "" }, ["Enter payment password", "Enter login password"]],
    ["change", { loginPassword: "" }, []],
    ["change", { oldPassword: "" }, ["Enter current password"]],
    ["change", { password: "" }, ["Enter new password"]],
    ["reset", { oldPassword: "" }, []],
    ["reset", { email: "" }, ["Enter e-mail"]],
    ["reset", { channel: "phone" }, ["Enter phone number"]],
    ["reset", { password: "" }, ["Enter new password"]],
    ["reset", { code: "" }, ["Enter verification code"]],
    ["reset", { loginPassword: "" }, ["Enter login password"]],
  ])("%s %j: %j", (mode, change, messages) => {
    expect(said(paymentPasswordFormProblems({ ...PAYMENT, ...change }, mode))).toEqual(messages);
  });
});
