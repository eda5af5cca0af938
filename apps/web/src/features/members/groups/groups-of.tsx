import type { Api } from "@krug/contract/api";
import { Button, Checkbox } from "@mantine/core";
import { Loading } from "../../../ui/loading.tsx";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, withReason } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import cells from "../../../ui/cells.module.css";
import { useEditWords } from "../../../ui/edit-words.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MEMBERS, StaffLink, useMay, useViewed } from "../../club/staff/index.ts";
import { GroupDialog } from "./group-dialog.tsx";
import classes from "./groups.module.css";
import { groupsQuery } from "./queries.ts";
import { useGroupsWords } from "./words.ts";

type Grouped = Pick<Api["GET /users"]["answer"][number], "id" | "displayName" | "groups">;

/** The groups that a member is in, and how to change that. */
export function GroupsOf({ member }: { member: Grouped }) {
  const { of: words } = useGroupsWords();
  const mayModify = useMay("members.change");
  const [isOpen, setOpen] = useState(false);
  return (
    <span className={classes.of}>
      {member.groups.length === 0 && words.none}
      {member.groups.map(({ id, name }) => (
        <StaffLink key={id} to="users" search={{ group: id }} className={cells.link}>
          {name}
        </StaffLink>
      ))}
      {mayModify && (
        <Button variant="subtle" onClick={() => setOpen(true)}>
          {words.edit}
        </Button>
      )}
      {isOpen && <MemberGroups member={member} onClose={() => setOpen(false)} />}
    </span>
  );
}

function MemberGroups({ member, onClose }: { member: Grouped; onClose: () => void }) {
  const all = useGroupsWords();
  const words = all.of;
  const edit = useEditWords();
  const { failure } = useText();
  const { viewedRole } = useViewed();
  const toast = useToast();
  const queryClient = useQueryClient();
  const groups = useQuery(groupsQuery(viewedRole));
  const [seen] = useState(() => member.groups.map(({ id }) => id));
  const [chosen, setChosen] = useState<readonly string[]>(seen);
  const [isAdding, setAdding] = useState(false);
  const turn = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const saving = useCommand({
    mutationFn: () =>
      api("PUT /admin/users/{id}/groups", {
        params: { id: member.id },
        body: { groups: [...chosen], expected: { groups: seen } },
      }),
    onSuccess: () => {
      void toast("good", words.saved(member.displayName));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: MEMBERS }),
  });
  const isChanged = saving.error instanceof ApiError && saving.error.code === "member.changed_meanwhile";
  return (
    <>
      <FormSheet
        draft={null}
        title={words.title(member.displayName)}
        onClose={onClose}
        submit={groups.data ? { label: edit.save, working: edit.saving, busy: saving.isPending } : null}
        onSubmit={() => saving.mutate()}
      >
        <Loading of={groups} failed={all.failed} room={160} />
        {groups.data && (
          <>
            {groups.data.length === 0 && <p className={classes.lead}>{all.nobody}</p>}
            {groups.data.map(({ id, name }) => (
              <Checkbox key={id} label={name} checked={chosen.includes(id)} onChange={() => turn(id)} />
            ))}
            <Button variant="outline" onClick={() => setAdding(true)}>
              {all.add}
            </Button>
            <FormMessage
              bad={isChanged ? words.conflict : saving.error && withReason(words.failed, saving.error, failure.silent)}
            />
          </>
        )}
      </FormSheet>
      {isAdding && <GroupDialog group={null} onClose={() => setAdding(false)} />}
    </>
  );
}
