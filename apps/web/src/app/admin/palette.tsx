import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type Icon, IconArrowLeft, IconSearch, IconTicket, IconUser, IconUserPlus } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { asViewed, useMay, useViewed } from "../../features/staff/index.ts";
import type { AdminSearch } from "../../lib/admin-search.ts";
import { api } from "../../lib/api.ts";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import "../../ui/form.css";
import { Sheet } from "../../ui/sheet.tsx";
import { useChoices } from "../../ui/use-choices.ts";
import classes from "./palette.module.css";
import { screens } from "./screens.ts";

const TYPING_MS = 150;
const MEMBERS_SHOWN = 6;
/** Only a whole code is looked up: the panel keeps codes sealed (decisions, section 4). */
const CODE = /^[A-Za-z0-9]{6}$/;

interface Choice {
  key: string;
  title: string;
  more?: string;
  icon: Icon;
  act: () => void;
}

/** Finds a member, an invite code or a section, and goes there (experience, 'Everyone'). */
export function Palette({ onClose }: { onClose: () => void }) {
  const { palette: words, screens: titles } = useStaffWords();
  const { viewedRole } = useViewed();
  const mayAdd = useMay("members.change");
  const mayMakeCode = useMay("invites.create");
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS);
  const members = useQuery({
    queryKey: ["palette", "members", q, viewedRole],
    queryFn: ({ signal }) => api("GET /users", { query: { q, limit: MEMBERS_SHOWN, ...asViewed(viewedRole) }, signal }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const codes = useQuery({
    queryKey: ["palette", "codes", q],
    queryFn: ({ signal }) => api("GET /admin/invite-codes", { query: { q, limit: 1 }, signal }),
    enabled: CODE.test(q),
  });

  const go =
    (place: string, search: AdminSearch = {}) =>
    () =>
      void navigate({ to: "/admin/$", params: { _splat: place }, search });
  const matches = (title: string) => title.toLowerCase().includes(typed.trim().toLowerCase());
  const groups: { title: string; choices: Choice[] }[] = [
    {
      title: words.members,
      choices: (q === "" ? [] : (members.data ?? [])).map((member) => ({
        key: member.id,
        title: member.displayName,
        more: member.isActive ? member.username : `${member.username}, ${words.blocked}`,
        icon: IconUser,
        act: go(`users/${member.username}`),
      })),
    },
    {
      title: words.codes,
      choices: (CODE.test(q) ? (codes.data ?? []) : []).map(({ id, code, state }) => ({
        key: id,
        title: code,
        more: words.codeState[state],
        icon: IconTicket,
        act: go(`invites/${id}`),
      })),
    },
    {
      title: words.screens,
      choices: screens
        .filter(({ roles, title }) => roles.includes(viewedRole) && matches(titles[title]))
        .map(({ path, title, icon }) => ({ key: path, title: titles[title], icon, act: go(path) })),
    },
    {
      title: words.actions,
      choices: [
        ...(mayAdd ? [{ key: "add", title: words.add, icon: IconUserPlus, act: go("users", { add: "member" }) }] : []),
        ...(mayMakeCode
          ? [{ key: "code", title: words.makeCode, icon: IconTicket, act: go("invites", { add: "code" }) }]
          : []),
        { key: "back", title: words.backToPanel, icon: IconArrowLeft, act: () => void navigate({ to: "/dashboard" }) },
      ].filter(({ title }) => matches(title)),
    },
  ].filter(({ choices }) => choices.length > 0);
  const choices = groups.flatMap((group) => group.choices);

  const take = (choice: Choice) => {
    onClose();
    choice.act();
  };
  const busy = q !== typed.trim() || members.isFetching;
  const { field, listId, option } = useChoices({
    choices,
    keyOf: ({ key }) => key,
    onTake: take,
    isOpen: true,
    isComing: busy,
  });
  return (
    <Sheet opened onClose={onClose} title={words.title}>
      <TextInput
        {...field}
        aria-label={words.field}
        placeholder={words.field}
        description={words.hint}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        leftSection={<IconSearch size={20} stroke={1.6} aria-hidden="true" />}
        data-autofocus
      />
      <div id={listId} role="listbox" className={classes.choices} aria-label={words.title}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: within a listbox a fieldset is no group
          <div key={group.title} role="group" aria-label={group.title}>
            <p className={classes.group} aria-hidden="true">
              {group.title}
            </p>
            {group.choices.map((choice) => (
              <div key={choice.key} {...option(choice)} className={classes.choice}>
                <choice.icon size={20} stroke={1.6} aria-hidden="true" />
                <span className={classes.title}>{choice.title}</span>
                {choice.more && <span className={classes.more}>{choice.more}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={classes.nothing} role="status">
        {members.isError ? words.failed : choices.length > 0 ? "" : busy ? words.searching : words.nothing}
      </p>
    </Sheet>
  );
}
