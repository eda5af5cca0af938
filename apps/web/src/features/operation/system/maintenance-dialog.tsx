import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { noteMaintenance } from "../../access/maintenance/index.ts";
import { CodeField, twoFactorQuery, useAttempt } from "../../access/two-factor/index.ts";
import { useViewed } from "../../club/staff/index.ts";
import { maintenanceStateQuery } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

/** Asks for the two-factor code that switches maintenance. */
export function MaintenanceDialog({ turnOn, onClose }: { turnOn: boolean; onClose: () => void }) {
  const { maintenance: words } = useSystemWords();
  const { me } = useViewed();
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
    <FormSheet
      draft={null}
      title={turnOn ? words.onTitle : words.offTitle}
      onClose={onClose}
      submit={attempt.button(turnOn ? words.turnOn : words.turnOff, words.working)}
      onSubmit={attempt.submit}
    >
      <p>{lead}</p>
      <CodeField attempt={attempt} label={lead} />
      <p className={classes.hint}>{words.codeHint}</p>
    </FormSheet>
  );
}
