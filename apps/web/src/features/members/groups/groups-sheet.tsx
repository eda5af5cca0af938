import { Button } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { placeName } from "../../../lib/place-name.ts";
import { AskFirst } from "../../../ui/ask-first.tsx";
import cells from "../../../ui/cells.module.css";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { MEMBERS, StaffLink, useMay, useViewed } from "../../club/staff/index.ts";
import { GroupDialog } from "./group-dialog.tsx";
import classes from "./groups.module.css";
import { type Group, groupsQuery, interfacesQuery } from "./queries.ts";
import { useGroupsWords } from "./words.ts";

type Open = { dialog: "add" } | { dialog: "edit" | "delete"; group: Group };

/** The club's groups: who is in them, what their members may use, and how to change that. */
export function GroupsSheet({ onClose }: { onClose: () => void }) {
  const words = useGroupsWords();
  const { table } = useStaffWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("members.change");
  const groups = useQuery(groupsQuery(viewedRole));
  // The list works without them.
  const interfaces = useQuery(interfacesQuery).data;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const placesOf = (group: Group) =>
    (interfaces ?? [])
      .filter(({ id }) => group.interfaces.includes(id))
      .map(placeName)
      .join(", ");
  const menu = (group: Group) => (
    <MoreMenu
      label={table.actions(group.name)}
      groups={[
        [
          { label: words.edit, icon: IconPencil, onClick: () => setOpen({ dialog: "edit", group }) },
          { label: words.remove, icon: IconTrash, danger: true, onClick: () => setOpen({ dialog: "delete", group }) },
        ],
      ]}
    />
  );
  return (
    <Sheet
      onClose={onClose}
      title={words.title}
      footer={
        mayModify &&
        groups.data && (
          <Button
            variant="outline"
            leftSection={<IconPlus size={18} stroke={1.6} aria-hidden="true" />}
            onClick={() => setOpen({ dialog: "add" })}
          >
            {words.add}
          </Button>
        )
      }
    >
      {groups.data && <p className={classes.lead}>{groups.data.length === 0 ? words.nobody : words.lead}</p>}
      <Loading of={groups} failed={words.failed} room={120} />
      <Lines>
        {groups.data?.map((group) => (
          <Line key={group.id} {...(mayModify ? { act: menu(group) } : {})}>
            <StaffLink to="users" search={{ group: group.id }} className={cells.link} onClick={onClose}>
              {group.name}
            </StaffLink>
            <span>{words.members(group.memberCount)}</span>
            {placesOf(group) && <span>{placesOf(group)}</span>}
          </Line>
        ))}
      </Lines>
      {open?.dialog === "add" && <GroupDialog group={null} onClose={close} />}
      {open?.dialog === "edit" && <GroupDialog group={open.group} onClose={close} />}
      {open?.dialog === "delete" && (
        <AskFirst
          words={{
            ...words.deletion,
            title: words.deletion.title(open.group.name),
            text: [
              open.group.memberCount === 0 ? words.deletion.empty : words.deletion.stay(open.group.memberCount),
              ...(placesOf(open.group) ? [words.deletion.interfaces(placesOf(open.group))] : []),
              ...(open.group.ruleCount > 0 ? [words.deletion.rules(open.group.ruleCount)] : []),
            ].join(" "),
          }}
          send={() => api("DELETE /admin/groups/{id}", { params: { id: open.group.id } })}
          done={() => words.deletion.done(open.group.name)}
          changes={MEMBERS}
          onClose={close}
        />
      )}
    </Sheet>
  );
}
