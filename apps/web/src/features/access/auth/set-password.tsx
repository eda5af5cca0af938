import { PASSWORD_MIN } from "@krug/domain/account-rules";
import { ApiError, api } from "../../../lib/api.ts";
import { useNewcomerText } from "../../../lib/i18n/newcomer.ts";
import { useLinkKey } from "../../../lib/link-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { AccountForm } from "../../../ui/account-form.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { DoorLink } from "../../../ui/door-link.tsx";
import { Entrance, EntranceForm } from "../../../ui/entrance.tsx";
import form from "../../../ui/form.module.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { SupportContact } from "../security-gate/index.ts";

/** A new password, set with a one-time link. The server checks the length for staff, since it knows the role. */
export function SetPassword() {
  const { setPassword, login } = useNewcomerText();
  usePageTitle(setPassword.title);
  const { token, user } = useLinkKey();
  const change = useCommand({
    mutationFn: (password: string) => api("POST /auth/set-password", { body: { token: token ?? "", password } }),
  });
  const used = change.error instanceof ApiError && change.error.code === "auth.link_invalid";
  if (change.isSuccess) {
    return (
      <Entrance page="form" you="taken">
        <EntranceForm title={setPassword.title}>
          <div className={form.fields}>
            <FormMessage good={login.passwordSet} />
            <DoorLink to="/login">{login.submit}</DoorLink>
          </div>
        </EntranceForm>
      </Entrance>
    );
  }
  return (
    <Entrance page="form" you="taken">
      <EntranceForm title={setPassword.title} lead={setPassword.lead}>
        {token ? (
          <AccountForm
            whose={user ?? ""}
            onSubmit={({ password }) => change.mutate(password)}
            busy={change.isPending}
            error={change.error}
            failed={setPassword.failed}
            good={null}
            label={setPassword.submit}
            working={setPassword.working}
            passwordMin={PASSWORD_MIN}
          />
        ) : (
          <div className={form.banner}>
            <Banner tone="move" title={setPassword.noToken} />
          </div>
        )}
        {used && (
          <div className={form.fields}>
            <Hint>{setPassword.usedHint}</Hint>
            <SupportContact />
          </div>
        )}
      </EntranceForm>
    </Entrance>
  );
}
