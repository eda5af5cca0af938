import { explain } from "../../../lib/api.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { usePasswordAsked } from "../../../lib/use-password-asked.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";

interface Props {
  username: string;
  onGiven: () => void;
  onCancel: () => void;
}

/** Asks for the password again before changes to signing in. Then the interrupted action continues. */
export function PasswordDialog({ username, onGiven, onCancel }: Props) {
  const { confirmPassword: words } = useStaffWords();
  const { account, failure } = useText();
  const { password, setPassword, confirm } = usePasswordAsked(onGiven);
  return (
    <FormSheet
      draft={null}
      small
      title={words.title}
      onClose={onCancel}
      submit={{ label: words.confirm, working: words.working, busy: confirm.isPending }}
      onSubmit={() => confirm.mutate(password)}
    >
      <p>{words.lead}</p>
      <PasswordField
        label={account.password}
        autoComplete="current-password"
        whose={username}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={confirm.isError}
        data-autofocus
      />
      <FormMessage bad={confirm.error && explain(confirm.error, words.failed, failure.silent)} />
    </FormSheet>
  );
}
