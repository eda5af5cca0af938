import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ApiError } from "../lib/api.ts";
import { keepForTab, keptForTab } from "../lib/browser-storage.ts";
import { focusFirstError } from "../lib/focus-first-error.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { useErrorsInLanguage } from "../lib/use-errors-in-language.ts";
import { useRefusedField } from "../lib/use-refused-field.ts";
import "./form.css";
import { passwordError, usernameError } from "./account-rules.ts";
import form from "./form.module.css";
import { FormMessage } from "./form-message.tsx";
import { PasswordField } from "./password-field.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { useDashboardAhead } from "./use-dashboard-ahead.ts";

export interface Account {
  username: string;
  password: string;
}

interface Props {
  onSubmit: (account: Account) => void;
  busy: boolean;
  error: Error | null;
  /** The error text if the panel gave none. */
  failed: string;
  good: string | null;
  label: string;
  working: string;
  passwordMin: number;
  /** Whose account it is. Then only a password is asked for. */
  whose?: string;
}

/** A typed name survives going back a step and a reload. A password does not. */
const NAME = "krug.begun-name";

const fieldOf = ({ code }: ApiError) =>
  code.startsWith("member.username") ? "username" : code.startsWith("password.") ? "password" : undefined;

/** A name and a repeated password: registration, the first administrator, a new password. */
export function AccountForm(props: Props) {
  const { onSubmit, busy, error, failed, good, label, working, passwordMin, whose } = props;
  const text = useText();
  const { account } = text;
  const fetchAhead = useDashboardAhead();
  const fields = useForm({
    initialValues: { username: keptForTab(NAME) ?? "", password: "", repeat: "" },
    onValuesChange: ({ username }) => {
      keepForTab(NAME, username || null);
    },
    // The panel's error about a name stays until the name is changed.
    validateInputOnBlur: error ? false : ["username"],
    validate: {
      username: (value) => (whose === undefined ? usernameError(value.trim(), text) : null),
      password: (value) => passwordError(value, text, passwordMin),
      repeat: (value, { password }) => (value === password ? null : account.mismatch),
    },
  });
  useErrorsInLanguage(fields);
  const isAtField = useRefusedField(fields, error, fieldOf, failed);
  const { username, password, repeat } = fields.errors;
  return (
    <form
      className={form.fields}
      noValidate
      onFocus={fetchAhead}
      onSubmit={fields.onSubmit((values) => {
        if (!busy) onSubmit({ username: values.username.trim(), password: values.password });
      }, focusFirstError(fields))}
    >
      {whose === undefined && (
        <TextInput
          label={account.username}
          description={username ? undefined : account.usernameHint}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          name="username"
          {...fields.getInputProps("username")}
        />
      )}
      <PasswordField
        label={account.password}
        description={password ? undefined : account.passwordHint(passwordMin)}
        autoComplete="new-password"
        {...(whose === undefined ? {} : { whose })}
        name="password"
        {...fields.getInputProps("password")}
      />
      <PasswordField
        label={account.repeat}
        autoComplete="new-password"
        name="repeat"
        {...fields.getInputProps("repeat")}
        error={repeat}
      />
      <SubmitButton busy={busy} label={label} working={working} />
      <FormMessage error={!isAtField && error} failed={failed} good={good} />
    </form>
  );
}
