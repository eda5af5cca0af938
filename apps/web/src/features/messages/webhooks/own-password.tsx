import { PasswordField } from "../../../ui/password-field.tsx";
import { useFrame } from "../../club/staff/index.ts";
import { useWebhooksWords } from "./words.ts";

/** The admin's own password, once more. */
export function OwnPassword(field: Omit<React.ComponentProps<typeof PasswordField>, "label" | "autoComplete">) {
  const { form: say } = useWebhooksWords();
  const { me } = useFrame();
  return <PasswordField label={say.password} autoComplete="current-password" whose={me.username} {...field} />;
}
