import { useCircle } from "../../../lib/i18n/circle.ts";
import { usePasswordAsked } from "../../../ui/password-asked.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import classes from "./telegram.module.css";

/** The bot sends files and password links: whoever sits at an open page must not link their own account. */
export function LinkingPassword({ username, onGiven }: { username: string; onGiven: () => void }) {
  const { telegram } = useCircle();
  const { field, busy, send } = usePasswordAsked({ whose: username, failed: telegram.passwordFailed, onGiven });
  return (
    <form
      className={classes.linking}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) send();
      }}
    >
      <p>{telegram.passwordLead}</p>
      {field}
      <SubmitButton busy={busy} label={telegram.passwordGiven} working={telegram.passwordWorking} />
    </form>
  );
}
