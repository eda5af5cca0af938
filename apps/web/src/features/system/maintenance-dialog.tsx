import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { api } from "../../lib/api.ts";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import { useSystemWords } from "../../lib/i18n/system.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { noteMaintenance } from "../maintenance/index.ts";
import { useViewed } from "../staff/index.ts";
import { CodeField, twoFactorQuery, useAttempt } from "../two-factor/index.ts";
import { maintenanceStateQuery } from "./queries.ts";
import classes from "./system.module.css";

/** Takes the two-factor code that switches maintenance. */
export function MaintenanceDialog({ turnOn, onClose }: { turnOn: boolean; onClose: () => void }) {
  const { maintenance: words } = useSystemWords();
  const { twoFactor } = useStaffWords();
  const { common } = useText();
  const { me } = useViewed();
  const formId = useId();
  const toast = useToast();
  const queryClient = useQueryClient();
  const status = useQuery(twoFactorQuery(me.id));
  const attempt = useAttempt({
    send: (token) => api("PUT /admin/maintenance", { body: { enabled: turnOn, token } }),
    onRight: (state) => {
      queryClient.setQueryData(maintenanceStateQuery.queryKey, state);
      noteMaintenance(queryClient, state.enabled);
      void toast("good", state.enabled ? words.nowOn : words.nowOff);
      onClose();
    },
    lock: { seconds: status.data?.retryAfter ?? 0, at: status.dataUpdatedAt },
    failed: words.failed,
  });
  const lead = turnOn ? words.onLead : words.offLead;
  return (
    <Sheet
      opened
      onClose={onClose}
      title={turnOn ? words.onTitle : words.offTitle}
      footer={
        <div className={classes.actions}>
          <Button variant="subtle" size="lg" onClick={onClose}>
            {common.cancel}
          </Button>
          <SubmitButton
            form={formId}
            busy={attempt.busy}
            label={attempt.left > 0 ? twoFactor.tryIn(attempt.left) : turnOn ? words.turnOn : words.turnOff}
            working={words.working}
            disabled={attempt.left > 0}
          />
        </div>
      }
    >
      <form
        id={formId}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          attempt.submit();
        }}
      >
        <p>{lead}</p>
        <CodeField attempt={attempt} label={lead} />
        <p className={classes.hint}>{words.codeHint}</p>
      </form>
    </Sheet>
  );
}
