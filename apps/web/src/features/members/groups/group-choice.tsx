import { MOST_GROUP_NAME_LETTERS } from "@krug/domain/group-rules";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { type Group, groupsQuery } from "./queries.ts";
import { useGroupsWords } from "./words.ts";

const NEW = "new";

interface Props {
  title: string;
  /** Narrowed to this group, several members most likely leave it. */
  from: string | undefined;
  busy: boolean;
  /** The first part is done: the rest gets the same. */
  isFixed: boolean;
  progress: string | null;
  confirm: string | undefined;
  bad: string | null;
  onChoose: (action: "join" | "leave", groupId: string) => void;
  onClose: () => void;
}

/** Which group several members join or leave; one that there isn't yet is added. */
export function GroupChoice({ onClose, ...props }: Props) {
  const words = useGroupsWords();
  const { viewedRole } = useViewed();
  const groups = useQuery(groupsQuery(viewedRole));
  if (groups.data) return <Choice groups={groups.data} onClose={onClose} {...props} />;
  return (
    <FormSheet draft={null} title={props.title} onClose={onClose} submit={null} onSubmit={() => {}}>
      <Loading of={groups} failed={words.failed} room={160} />
    </FormSheet>
  );
}

function Choice({
  groups,
  title,
  from,
  busy,
  isFixed,
  progress,
  confirm,
  bad,
  onChoose,
  onClose,
}: Props & { groups: readonly Group[] }) {
  const { choice: words, form } = useGroupsWords();
  const [action, setAction] = useState<"join" | "leave">(from === undefined ? "join" : "leave");
  const [groupId, setGroupId] = useState(from ?? groups[0]?.id ?? NEW);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const isNew = action === "join" && groupId === NEW;
  const act = async () => {
    if (!isNew) return onChoose(action, groupId);
    if (name.trim() === "") return setProblem(form.nameEmpty);
    setAdding(true);
    try {
      const group = await api("POST /admin/groups", { body: { name: name.trim() } });
      setGroupId(group.id);
      onChoose("join", group.id);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : form.saveFailed);
    } finally {
      setAdding(false);
    }
  };
  return (
    <FormSheet
      draft={null}
      title={title}
      onClose={onClose}
      submit={{
        label: confirm ?? words.confirm,
        working: progress ?? words.working,
        busy: busy || isAdding,
        disabled: action === "leave" && groupId === NEW,
      }}
      onSubmit={() => void act()}
    >
      {groups.length > 0 && (
        <>
          <Segments
            label={words.how}
            value={action}
            onChange={(next) => {
              if (isFixed) return;
              setAction(next);
              if (next === "leave" && groupId === NEW) setGroupId(groups[0]?.id ?? NEW);
            }}
            choices={[
              { value: "join", label: words.join },
              { value: "leave", label: words.leave },
            ]}
          />
          <NativeSelect
            label={words.group}
            disabled={isFixed}
            rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
            value={groupId}
            onChange={(event) => setGroupId(event.currentTarget.value)}
            data={[
              ...groups.map(({ id, name }) => ({ value: id, label: name })),
              ...(action === "join" ? [{ value: NEW, label: words.isNew }] : []),
            ]}
          />
        </>
      )}
      {isNew && (
        <TextInput
          label={words.name}
          description={problem === null ? form.nameHint : undefined}
          value={name}
          error={problem}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
          maxLength={MOST_GROUP_NAME_LETTERS}
          autoComplete="off"
          data-autofocus
        />
      )}
      <FormMessage bad={bad} />
    </FormSheet>
  );
}
