import { explain } from "../../../lib/api.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { usePasswordAsked } from "../../../lib/use-password-asked.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import classes from "./telegram.module.css";

/** The bot sends files and password links: whoever sits at an open page must not link their own account. */
export function LinkingPassword({ username, onGiven }: { username: string; onGiven: () => void }) {
  const { telegram } = useCircle();
  const { account, failure } = useText();
  const { password, setPassword, confirm } = usePasswordAsked(onGiven);
  return (
    <form
      className={classes.linking}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!confirm.isPending) confirm.mutate(password);
      }}
    >
      <p>{telegram.passwordLead}</p>
      <PasswordField
        label={account.password}
        autoComplete="current-password"
        whose={username}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={confirm.isError}
      />
      <FormMessage bad={confirm.error && explain(confirm.error, telegram.passwordFailed, failure.silent)} />
      <SubmitButton busy={confirm.isPending} label={telegram.passwordGiven} working={telegram.passwordWorking} />
    </form>
  );
}
