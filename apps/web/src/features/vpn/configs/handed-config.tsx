import { ApiError, api, NoAnswer } from "../../../lib/api.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useLinkKey } from "../../../lib/link-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Entrance, EntranceForm } from "../../../ui/entrance.tsx";
import form from "../../../ui/form.module.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { SupportContact } from "../../access/security-gate/index.ts";

const HandedFile = lazyPart(() => import("./handed-file.tsx").then(({ HandedFile }) => HandedFile));

/**
 * A config that staff made, behind a one-time link. Only a press uses the link up. A messenger's link preview does not, and the
 * token is in the fragment, which is never sent.
 */
export function HandedConfig() {
  const { handed } = useDevices();
  const { token } = useLinkKey();
  const opening = useCommand({
    mutationFn: async () => {
      // The link is used up only once the page can show its file.
      if ((await HandedFile.load()) === null) throw new NoAnswer("unreachable");
      return api("POST /vpn/open-link", { body: { token: token ?? "" } });
    },
  });
  const isInvalid = opening.error instanceof ApiError && opening.error.code === "auth.link_invalid";
  const title = opening.data?.name ?? (isInvalid ? handed.failed : handed.title);
  usePageTitle(title);
  return (
    <Entrance page="form" you="taken">
      {opening.data ? (
        <EntranceForm title={title} lead={handed.once}>
          <HandedFile handed={opening.data} />
        </EntranceForm>
      ) : (
        <EntranceForm title={title} {...(token && !isInvalid ? { lead: handed.lead } : {})}>
          {token ? (
            <form
              className={form.fields}
              onSubmit={(event) => {
                event.preventDefault();
                if (!opening.isPending) opening.mutate();
              }}
            >
              <FormMessage error={opening.error} failed={handed.failed} />
              {!isInvalid && (
                <SubmitButton fullWidth busy={opening.isPending} label={handed.open} working={handed.opening} />
              )}
            </form>
          ) : (
            <div className={form.banner}>
              <Banner tone="move" title={handed.noToken} />
            </div>
          )}
          {isInvalid && (
            <div className={form.fields}>
              <Hint>{handed.usedHint}</Hint>
              <SupportContact />
            </div>
          )}
        </EntranceForm>
      )}
    </Entrance>
  );
}
