import { PASSWORD_MIN, PASSWORD_MIN_STAFF } from "@krug/domain/account-rules";
import { useForm } from "@mantine/form";
import { useEffect, useState } from "react";
import { type ApiError, api, explain, NoAnswer } from "../../../lib/api.ts";
import { focusFirstError } from "../../../lib/focus-first-error.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useRefusedField } from "../../../lib/use-refused-field.ts";
import "../../../ui/form.css";
import { passwordError } from "../../../ui/account-rules.ts";
import form from "../../../ui/form.module.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import part from "../../../ui/settings-part.module.css";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { useSettingsWords } from "./settings-words.ts";

/** User-side, section 9. */
const CLOSES_AFTER_MS = 2000;

const fieldOf = ({ code }: ApiError) =>
  code === "password.wrong_current" ? "current" : code.startsWith("password.") ? "fresh" : undefined;

export function PasswordChange({ username, staff, onDone }: { username: string; staff: boolean; onDone: () => void }) {
  const text = useMemberText();
  const settings = useSettingsWords();
  const { account, failure } = text;
  const min = staff ? PASSWORD_MIN_STAFF : PASSWORD_MIN;
  const [check, setCheck] = useState(false);
  const fields = useForm({
    initialValues: { current: "", fresh: "", confirm: "" },
    validate: {
      current: (value) => (value ? null : account.passwordMissing),
      fresh: (value, { current }) => passwordError(value, text, min) ?? (value === current ? settings.same : null),
      confirm: (value, { fresh }) => (value === fresh ? null : account.mismatch),
    },
  });
  const change = useCommand({
    mutationFn: (values: { current: string; fresh: string }) =>
      api("POST /users/change-password", {
        body: { username, currentPassword: values.current, newPassword: values.fresh },
      }),
  });
  const isAtField = useRefusedField(fields, change.error, fieldOf, settings.failed);
  useEffect(() => {
    if (!change.isSuccess) return;
    const timer = setTimeout(onDone, CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [change.isSuccess, onDone]);

  const bad = check
    ? settings.check
    : change.error && !isAtField
      ? // The specified text is about the password, which a panel that is silent has not judged.
        change.error instanceof NoAnswer
        ? failure.silent
        : explain(change.error, settings.failed, failure.silent)
      : null;
  return (
    <section className={part.part} aria-labelledby="password-change">
      <h3 id="password-change" className={part.title}>
        {settings.passwordTitle}
      </h3>
      <form
        className={form.fields}
        noValidate
        onSubmit={fields.onSubmit(
          (values) => {
            setCheck(false);
            if (!change.isPending && !change.isSuccess) change.mutate(values);
          },
          (errors) => {
            setCheck(true);
            focusFirstError(fields)(errors);
          },
        )}
      >
        <PasswordField
          label={settings.current}
          autoComplete="current-password"
          whose={username}
          {...fields.getInputProps("current")}
        />
        <PasswordField
          label={settings.fresh}
          description={fields.errors.fresh ? undefined : account.passwordHint(min)}
          autoComplete="new-password"
          {...fields.getInputProps("fresh")}
        />
        <PasswordField label={settings.confirm} autoComplete="new-password" {...fields.getInputProps("confirm")} />
        <SubmitButton busy={change.isPending} label={settings.save} working={settings.saving} />
        <FormMessage bad={bad} good={change.isSuccess ? settings.saved : null} />
      </form>
    </section>
  );
}
