import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useText } from "../lib/i18n/use-text.tsx";

/** A password with a reachable, named eye. */
export function PasswordField(props: PasswordInputProps) {
  const { account } = useText();
  return (
    <PasswordInput
      {...props}
      // The library says so of its other fields alone.
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ "aria-label": account.showPassword, tabIndex: 0, "aria-hidden": false }}
    />
  );
}
