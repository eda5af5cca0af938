import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { sinceText } from "./chat-list.tsx";
import { conversationOfQuery } from "./queries.ts";
import classes from "./thread-pane.module.css";
import { useDeskCommand } from "./use-desk-command.ts";
import { useStaffSupportWords } from "./words.ts";

/** Since when the member waits for an answer, and a button to mark that none is needed. */
export function WaitingBar({ memberId }: { memberId: string }) {
  const { waits: words } = useStaffSupportWords();
  const conversation = useQuery(conversationOfQuery(memberId)).data;
  const setting = useDeskCommand(
    (wish: { waiting: boolean; upTo: number }) =>
      api("PUT /admin/support/conversations/{userId}/waiting", { params: { userId: memberId }, body: wish }),
    words.failed,
  );
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
