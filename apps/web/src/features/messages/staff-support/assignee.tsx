import { NativeSelect } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Colleague, colleaguesQuery } from "./queries.ts";
import classes from "./thread-pane.module.css";

interface Props {
  assignedTo: Colleague | null;
  words: { assign: string; nobody: string; given: (name: string) => string; free: string };
  /** `done`: the message on success. */
  onAssign: (id: string | null, done: string) => void;
}

/** Who is assigned to a ticket or a conversation, and a choice of others. */
export function Assignee({ assignedTo, words, onAssign }: Props) {
  const colleagues = useQuery(colleaguesQuery).data ?? [];
  // The assigned colleague is listed even before the others are loaded.
  const people =
    assignedTo === null || colleagues.some(({ id }) => id === assignedTo.id) ? colleagues : [assignedTo, ...colleagues];
  return (
    <NativeSelect
      className={classes.assignee ?? ""}
      aria-label={words.assign}
      rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
      value={assignedTo?.id ?? ""}
      onChange={({ currentTarget: { value } }) => {
        const to = people.find(({ id }) => id === value);
        onAssign(to?.id ?? null, to ? words.given(to.displayName) : words.free);
      }}
      data={[
        { value: "", label: words.nobody },
        ...people.map(({ id, displayName }) => ({ value: id, label: displayName })),
      ]}
    />
  );
}
