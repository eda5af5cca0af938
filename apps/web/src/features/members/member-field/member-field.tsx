import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import "../../../ui/form.css";
import { useChoices } from "../../../ui/use-choices.ts";
import { asViewed, MEMBERS, useViewed } from "../../club/staff/index.ts";
import classes from "./member-field.module.css";
import { useMemberFieldWords } from "./words.ts";

const TYPING_MS = 150;
const SUGGESTED = 8;

/** A member's names. */
export interface Named {
  id: string;
  username: string;
  displayName: string;
}

interface Props {
  label: string;
  hint?: string;
  /** Shown in the field until something else is typed; null: the field is empty. */
  picked: Named | null;
  /** null: the picked name was typed over. */
  onPick: (member: Named | null) => void;
  /** Already picked, so not offered. */
  without?: readonly string[];
  error?: string | false | undefined;
  required?: boolean;
  /** It is the first field of a dialog, which focuses it when it opens. */
  first?: boolean;
}

/** A field that finds a member by name or username. Arrows and Enter choose, or a tap. */
export function MemberField(props: Props) {
  const { label, hint, picked, onPick, without = [], error, required = false, first = false } = props;
  const words = useMemberFieldWords();
  const { viewedRole } = useViewed();
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useQuery({
    queryKey: [...MEMBERS, "suggested", q, viewedRole],
    queryFn: ({ signal }) =>
      api("GET /users", { query: { limit: SUGGESTED + 1, ...(q ? { q } : {}), ...asViewed(viewedRole) }, signal }),
    placeholderData: keepPreviousData,
    enabled: open,
  });
  const choices = (found.data ?? []).filter(({ id }) => !without.includes(id)).slice(0, SUGGESTED);
  const isMore = (found.data?.length ?? 0) > SUGGESTED;

  const take = (member: Named) => {
    onPick({ id: member.id, username: member.username, displayName: member.displayName });
    setTyped("");
    setOpen(false);
  };
  const busy = q !== typed.trim() || found.isFetching;
  const { field, listId, option } = useChoices({
    choices,
    keyOf: ({ id }) => id,
    onTake: take,
    isOpen: open,
    isComing: busy,
    setOpen,
  });
  const said = !open
    ? ""
    : found.isError
      ? words.failed
      : choices.length > 0
        ? isMore
          ? words.more
          : ""
        : busy
          ? words.searching
          : words.nothing;

  return (
    <div>
      <TextInput
        label={label}
        description={hint}
        required={required}
        {...field}
        value={picked && !open ? picked.displayName : typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
          if (picked) onPick(null);
        }}
        // A field that is focused from the start does not cover what is below it yet.
        onFocus={() => setOpen(picked === null && !first)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        error={error}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden="true" />}
        autoCapitalize="none"
        data-autofocus={first || undefined}
      />
      <div
        id={listId}
        role="listbox"
        className={classes.choices}
        aria-label={words.matches}
        hidden={!open || choices.length === 0}
      >
        {open &&
          choices.map((member) => (
            <div key={member.id} {...option(member)} className={classes.choice}>
              <b>{member.displayName}</b>
              <span>{member.username}</span>
            </div>
          ))}
      </div>
      <p className={classes.said} role="status">
        {said}
      </p>
    </div>
  );
}
