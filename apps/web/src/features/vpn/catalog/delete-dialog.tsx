import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask, Tell } from "../../../ui/ask.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useViewed } from "../../club/staff/index.ts";
import classes from "./catalog.module.css";
import { CATALOG, type Entry, usageQuery } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

/** Asks before an entry is deleted; of one that configs use it says in how many. */
export function DeleteDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { remove: words } = useCatalogWords();
  const { viewedRole } = useViewed();
  const toast = useToast();
  const queryClient = useQueryClient();
  const usage = useQuery(usageQuery(viewedRole)).data;
  const uses = entry.kind === "service" ? usage?.services : usage?.dns;
  const known = uses?.find(({ id }) => id === entry.id)?.configs ?? 0;
  const deleting = useCommand({
    mutationFn: () => {
      const params = { id: entry.id };
      return entry.kind === "service" ? api("DELETE /services/{id}", { params }) : api("DELETE /dns/{id}", { params });
    },
    onSuccess: () => {
      void toast("good", words.done(entry.name));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CATALOG }),
  });
  const refusal = deleting.error instanceof ApiError && deleting.error.code.endsWith("in_use") ? deleting.error : null;
  const count = refusal === null ? known : Number(refusal.details.count ?? known);
  if (count > 0)
    return (
      <Tell onClose={onClose} title={words.title(entry.name)} understood={words.understood}>
        <p role="alert">{words.inUse(count)}</p>
        <p className={classes.inUseMore}>{words.inUseMore}</p>
      </Tell>
    );
  return (
    <Ask
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      title={words.title(entry.name)}
      text={entry.kind === "service" ? words.textService : words.text}
      words={words}
      of={deleting}
      reason
      danger
    />
  );
}
