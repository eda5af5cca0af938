import { Button, Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Losses } from "../../../ui/losses.tsx";
import { Sheet, SheetActions } from "../../../ui/sheet.tsx";
import { MEMBERS } from "../../club/staff/index.ts";
import { useLeaveWords } from "./leave-words.ts";
import type { ListedMember } from "./queries.ts";

interface Props {
  member: ListedMember;
  onClose: () => void;
}

/** Ends all that somebody has as staff, and reminds of what the panel cannot end. */
export function LeaveDialog({ member, onClose }: Props) {
  const words = useLeaveWords();
  const queryClient = useQueryClient();
  const [block, setBlock] = useState(false);
  const leaving = useCommand({
    mutationFn: () => api("POST /admin/users/{id}/leave-staff", { params: { id: member.id }, body: { block } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: MEMBERS }),
  });
  if (leaving.isSuccess)
    return (
      <Sheet small title={words.done(member.displayName)} onClose={onClose}>
        <Losses lead={words.remind} things={words.reminders} />
        <SheetActions>
          <Button size="lg" data-autofocus onClick={onClose}>
            {words.close}
          </Button>
        </SheetActions>
      </Sheet>
    );
  return (
    <FormSheet
      draft={null}
      title={words.title(member.displayName)}
      onClose={onClose}
      submit={{ label: words.confirm, working: words.working, busy: leaving.isPending, danger: true }}
      onSubmit={() => leaving.mutate()}
    >
      <Losses lead={words.lead} things={words.things} />
      {member.isActive && (
        <Checkbox
          label={words.block}
          checked={block}
          onChange={({ currentTarget: { checked } }) => setBlock(checked)}
        />
      )}
      <FormMessage error={leaving.error} failed={words.failed} />
    </FormSheet>
  );
}
