import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useViewed } from "../../club/staff/index.ts";
import { Assignee } from "./assignee.tsx";
import { conversationOfQuery } from "./queries.ts";
import classes from "./thread-pane.module.css";
import { useDeskCommand } from "./use-desk-command.ts";
import { useStaffSupportWords } from "./words.ts";

/** Who is assigned to a member's conversation, and the actions to take it, to assign it and to release it. */
export function ChatBar({ memberId }: { memberId: string }) {
  const { chat: words } = useStaffSupportWords();
  const { me } = useViewed();
  const conversation = useQuery(conversationOfQuery(memberId)).data;
  const assign = useDeskCommand(
    ({ to, seen }: { to: string | null; seen: string | null; done: string }) =>
      api("PUT /admin/support/conversations/{userId}/assignee", {
        params: { userId: memberId },
        body: { assignedTo: to, expected: { assignedTo: seen } },
      }),
    words.failed,
  );
  if (!conversation) return null;
  const { assignedTo } = conversation;
  const seen = assignedTo?.id ?? null;
  return (
    <div className={classes.hands}>
      <Assignee assignedTo={assignedTo} words={words} onAssign={(to, done) => assign.mutate({ to, seen, done })} />
      {seen !== me.id && (
        <Button
          variant={seen === null ? "light" : "outline"}
          aria-disabled={assign.isPending || undefined}
          onClick={() => assign.isPending || assign.mutate({ to: me.id, seen, done: words.taken })}
        >
          {words.take}
        </Button>
      )}
    </div>
  );
}
