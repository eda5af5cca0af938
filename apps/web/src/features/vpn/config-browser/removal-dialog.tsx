import { useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { CONFIGS, type ListedConfig } from "./queries.ts";
import { useConfigsBrowserWords } from "./words.ts";

interface Props {
  configs: readonly ListedConfig[];
  onClose: () => void;
  /** The ids of the deleted ones. */
  onDone: (ids: readonly string[]) => void;
}

/** Admin-side, section 8: a 500 on the deletion of a config counts as success. */
const countsAsDone = (error: unknown) => error instanceof ApiError && error.status === 500;

/** One confirmation for one config or many: names what is lost, and that the owner will be notified. */
export function RemovalDialog({ configs, onClose, onDone }: Props) {
  const { removal: words } = useConfigsBrowserWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [only] = configs;
  const one = configs.length === 1 ? only : undefined;
  const removing = useCommand({
    mutationFn: async () => {
      const ids = configs.map(({ id }) => id);
      if (one === undefined) return (await api("POST /admin/configs/delete", { body: { ids } })).deleted;
      await api("DELETE /vpn/configs/{id}", { params: { id: one.id } }).catch((error: unknown) => {
        if (!countsAsDone(error)) throw error;
      });
      return ids;
    },
    onSuccess: (ids) => {
      void toast("good", one ? words.done(one.name) : words.doneMany(ids.length));
      void queryClient.invalidateQueries({ queryKey: CONFIGS });
      onDone(ids);
    },
  });
  return (
    <Ask
      danger
      onClose={onClose}
      onConfirm={() => removing.mutate()}
      title={one ? words.title(one.name) : words.titleMany(configs.length)}
      text={one ? words.text(one.staff.owner.displayName) : words.textMany}
      words={words}
      of={removing}
    />
  );
}
