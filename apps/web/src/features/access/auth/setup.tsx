import { PASSWORD_MIN_STAFF } from "@krug/domain/account-rules";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ApiError, api } from "../../../lib/api.ts";
import { useNewcomerText } from "../../../lib/i18n/newcomer.ts";
import { useLinkKey } from "../../../lib/link-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { type Account, AccountForm } from "../../../ui/account-form.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { DoorLink } from "../../../ui/door-link.tsx";
import { Entrance, EntranceForm } from "../../../ui/entrance.tsx";
import form from "../../../ui/form.module.css";
import { Hint } from "../../../ui/hint.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { meQuery } from "./queries.ts";

/** Creates the first administrator, with the one-time link that the first start printed. */
export function Setup() {
  const { setup, register } = useNewcomerText();
  usePageTitle(setup.title);
  const { token } = useLinkKey();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const entry = useCommand({
    mutationFn: (account: Account) => api("POST /auth/setup", { body: { ...account, token: token ?? "" } }),
    onSuccess: ({ user }) => {
      queryClient.setQueryData(meQuery.queryKey, user);
      void navigate({ to: "/dashboard", replace: true });
    },
  });
  const used = entry.error instanceof ApiError && entry.error.code === "auth.link_invalid";
  return (
    <Entrance page="form" you={token ? "taken" : "free"}>
      <EntranceForm
        title={setup.title}
        lead={setup.lead}
        aside={
          <>
            <span>{register.member}</span>
            <DoorLink to="/login">{register.toLogin}</DoorLink>
          </>
        }
      >
        {token ? (
          <AccountForm
            onSubmit={entry.mutate}
            busy={entry.isPending || entry.isSuccess}
            error={entry.error}
            failed={setup.failed}
            good={entry.isSuccess ? register.success : null}
            label={setup.submit}
            working={setup.working}
            passwordMin={PASSWORD_MIN_STAFF}
          />
        ) : (
          <div className={form.banner}>
            <Banner tone="move" title={setup.noToken} />
          </div>
        )}
        {used && (
          <div className={form.banner}>
            <Hint>{setup.usedHint}</Hint>
          </div>
        )}
      </EntranceForm>
    </Entrance>
  );
}
