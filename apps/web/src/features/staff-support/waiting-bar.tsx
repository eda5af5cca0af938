import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { useToast } from "../../ui/toasts.tsx";
import { sinceText } from "./chat-list.tsx";
import { conversationOfQuery, DESK } from "./queries.ts";
import classes from "./thread-pane.module.css";
import { useStaffSupportWords } from "./words.ts";

/** Since when the member waits for an answer, and the way to say that none is needed. */
export function WaitingBar({ memberId }: { memberId: string }) {
  const { waits: words } = useStaffSupportWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const conversation = useQuery(conversationOfQuery(memberId)).data;
  const setting = useCommand({
    mutationFn: (wish: { waiting: boolean; upTo: number }) =>
      api("PUT /admin/support/conversations/{userId}/waiting", { params: { userId: memberId }, body: wish }),
    onError: (error) => void toast("bad", explain(error, words.failed, failure.silent)),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: DESK }),
  });
  if (!conversation) return null;
  const { waitingSince, lastMessage } = conversation;
  const isUndoable = setting.variables?.waiting === false && setting.isSuccess;
  if (waitingSince === null && !isUndoable) return null;
  const isWaiting = waitingSince !== null;
  return (
    <div className={classes.waits} role="status">
      <span>{isWaiting ? words.since(sinceText(waitingSince)) : words.settled}</span>
      <Button
        size="compact-sm"
        variant="subtle"
        loading={setting.isPending}
        onClick={() => setting.mutate({ waiting: !isWaiting, upTo: lastMessage.sequence })}
      >
        {isWaiting ? words.settle : words.undo}
      </Button>
    </div>
  );
}
