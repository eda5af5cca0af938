import { useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { withReason } from "../../lib/with-reason.ts";
import { Ask } from "../../ui/ask.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { RULES } from "./key.ts";
import type { Rule } from "./queries.ts";
import { useRulesWords } from "./words.ts";

export function RemoveDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { removal: words } = useRulesWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const removing = useCommand({
    // Gone already, by another's hand: that is what was wanted.
    mutationFn: () =>
      api("DELETE /admin/rules/{id}", { params: { id: rule.id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== "rule.not_found") throw error;
      }),
    onSuccess: () => {
      void toast("good", words.done(rule.target));
      void queryClient.invalidateQueries({ queryKey: RULES });
      onClose();
    },
  });
  return (
    <Ask
      opened
      onClose={onClose}
      onConfirm={() => removing.mutate()}
      title={words.title}
      text={words[rule.type](rule.target)}
      confirm={words.confirm}
      working={words.working}
      busy={removing.isPending}
      bad={removing.error && withReason(words.failed, removing.error, failure.silent)}
      danger
    />
  );
}
