import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useText } from "../lib/i18n/use-text.tsx";

interface Props extends PasswordInputProps {
  /** For password managers; "off": a machine's password, for which they must not offer the person's own. */
  autoComplete: "current-password" | "new-password" | "off";
  /** The username for password managers, if the form has no field for it. */
  whose?: string;
}

/** A password field with a reachable, labelled eye button. */
export function PasswordField({ whose, ...props }: Props) {
  const { account } = useText();
  return (
    <>
      {/* Managers look for a text field and ignore one of type "hidden". */}
      {whose !== undefined && (
        <input hidden readOnly type="text" name="username" autoComplete="username" value={whose} />
      )}
      <PasswordInput
        {...props}
        // The library sets this only on its other fields.
        aria-invalid={props.error ? true : undefined}
        // In dialogs the library's Tab skips whatever has this attribute, "false" too.
        visibilityToggleButtonProps={{ "aria-label": account.showPassword, tabIndex: 0, "aria-hidden": undefined }}
      />
    </>
  );
}
