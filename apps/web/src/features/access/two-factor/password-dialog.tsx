import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { usePasswordAsked } from "../../../ui/password-asked.tsx";

interface Props {
  username: string;
  onGiven: () => void;
  onCancel: () => void;
}

/** Asks for the password again before changes to signing in. Then the interrupted action continues. */
export function PasswordDialog({ username, onGiven, onCancel }: Props) {
  const { confirmPassword: words } = useStaffWords();
  const { field, busy, send } = usePasswordAsked({ whose: username, failed: words.failed, onGiven });
  return (
    <FormSheet
      draft={null}
      small
      title={words.title}
      onClose={onCancel}
      submit={{ label: words.confirm, working: words.working, busy }}
      onSubmit={send}
    >
      <p>{words.lead}</p>
      {field}
    </FormSheet>
  );
}
