import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useText } from "../lib/i18n/use-text.tsx";

interface Props extends PasswordInputProps {
  /** For password managers; "off": it is a machine's, for which none must offer the person's own. */
  autoComplete: "current-password" | "new-password" | "off";
  /** Whose it is, for password managers, where the form has no field for the name. */
  whose?: string;
}

/** A password with a reachable, named eye. */
export function PasswordField({ whose, ...props }: Props) {
  const { account } = useText();
  return (
    <>
      {/* Managers look for a field of text: one of type "hidden" is none to them. */}
      {whose !== undefined && (
        <input hidden readOnly type="text" name="username" autoComplete="username" value={whose} />
      )}
      <PasswordInput
        {...props}
        // The library says so of its other fields alone.
        aria-invalid={props.error ? true : undefined}
        visibilityToggleButtonProps={{ "aria-label": account.showPassword, tabIndex: 0, "aria-hidden": false }}
      />
    </>
  );
}
