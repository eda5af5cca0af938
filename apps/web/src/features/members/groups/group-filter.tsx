import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useViewed } from "../../club/staff/index.ts";
import { groupsQuery } from "./queries.ts";

interface Props {
  words: Record<"label" | "any", string>;
  value: string;
  onChange: (id: string) => void;
}

/** Narrows the list of members to a group. It has its place before the groups are known, so that nothing moves. */
export function GroupFilter({ words, value, onChange }: Props) {
  const groups = useQuery(groupsQuery(useViewed().viewedRole)).data ?? [];
  return (
    <NativeSelect
      aria-label={words.label}
      value={value}
      disabled={groups.length === 0}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: "", label: words.any }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  );
}
