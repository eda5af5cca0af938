import { nameKey, wordsSought } from "@krug/domain/name-search";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import {
  type Icon,
  IconBan,
  IconCalendarPlus,
  IconDeviceMobile,
  IconKey,
  IconNetwork,
  IconSearch,
  IconServer,
  IconSettings,
  IconTicket,
  IconUser,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { asViewed, useRights, useViewed } from "../../features/club/staff/index.ts";
import { settingsOf } from "../../features/operation/system/setting-labels.ts";
import { useSystemWords } from "../../features/operation/system/words.ts";
import type { AdminSearch } from "../../lib/admin-search.ts";
import { api } from "../../lib/api.ts";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import "../../ui/form.css";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useChoices } from "../../ui/use-choices.ts";
import { actions } from "./actions.ts";
import classes from "./palette.module.css";
import { usePaletteWords } from "./palette-words.ts";
import { readAct, type TypedAct } from "./read-act.ts";
import { screenAt, screens } from "./screens.ts";
import { useOwnActions } from "./use-own-actions.ts";

const TypedActDialog = lazyDialog(() => import("./typed-act-dialog.tsx").then(({ TypedActDialog }) => TypedActDialog));

const TYPING_MS = 150;
/** What may be typed about a member: the right it needs, and its sign. */
const TYPED = {
  extend: ["members.change", IconCalendarPlus],
  block: ["members.change", IconBan],
  link: ["members.send_password_link", IconKey],
} as const;

interface Choice {
  key: string;
  title: string;
  more?: string;
  icon: Icon;
  act: () => void;
  /** What it opens takes the palette's place. */
  stays?: boolean;
}

interface Props {
  onClose: () => void;
  /** What was typed before the field had the focus. */
  takeTyped: () => string;
}

/**
 * Finds anything by its name and goes there (experience, 'Everyone'). The panel finds the club's data in one call. Sections,
 * settings and actions are found here, limited to what the viewer has.
 */
export function Palette({ onClose, takeTyped }: Props) {
  const words = usePaletteWords();
  const { screens: titles } = useStaffWords();
  const system = useSystemWords();
  const { viewedRole } = useViewed();
  const may = useRights();
  const own = useOwnActions();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState<React.ComponentProps<typeof TypedActDialog> | null>(null);
  const act = permitted(readAct(typed), may);
  const sent = act?.name ?? typed.trim();
  const [q] = useDebouncedValue(sent, TYPING_MS);
  const search = useQuery({
    queryKey: ["palette", q, viewedRole],
    queryFn: ({ signal }) => api("GET /admin/search", { query: { q, ...asViewed(viewedRole) }, signal }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const found = sent === "" || q === "" ? undefined : search.data;

  const go =
    (place: string, search: AdminSearch = {}) =>
    () =>
      void navigate({ to: "/admin/$", params: { _splat: place }, search });
  const sought = wordsSought(typed);
  const matches = ({ key, title }: Choice) => {
    const name = nameKey(`${title} ${words.alias[key] ?? ""}`);
    return sought.every((spellings) => spellings.some((spelling) => name.includes(spelling)));
  };
  const isOpen = (place: string) => screenAt(place, viewedRole) !== null;
  const sections: Choice[] = screens
    .filter(({ path }) => isOpen(path))
    .map(({ path, title, icon }) => ({ key: path, title: titles[title], icon, act: go(path) }));
  const settings: Choice[] = may("settings.change")
    ? settingsOf(system)
        .filter(({ place }) => isOpen(place))
        .map(({ place, set, title }) => ({
          key: `set-${set}`,
          title,
          more: titles[place === "payments" ? "payments" : "system"],
          icon: IconSettings,
          act: go(place, { set }),
        }))
    : [];
  const acts: Choice[] = [
    ...actions
      .filter(({ needs, place }) => may(needs) && isOpen(place))
      .map(({ title, icon, place, search }) => ({ key: title, title: words.act[title], icon, act: go(place, search) })),
    ...own.map(({ title, icon, act }) => ({ key: title, title: words.act[title], icon, act })),
  ];
  const actsOnMembers = (act: TypedAct): Choice[] =>
    (found?.members ?? [])
      .filter(({ isActive }) => isActive || act.act !== "block")
      .map((member) => ({
        key: member.id,
        title: words.typedAct[act.act](member.displayName, act.period),
        more: member.isActive ? member.username : `${member.username}, ${words.blocked}`,
        icon: TYPED[act.act][1],
        act: () => setAsked({ act, member, onClose }),
        stays: true,
      }));
  const everything = (): { title: string; choices: Choice[] }[] => [
    {
      title: words.members,
      choices: (found?.members ?? []).map((member) => ({
        key: member.id,
        title: member.displayName,
        more: member.isActive ? member.username : `${member.username}, ${words.blocked}`,
        icon: IconUser,
        act: go(`users/${member.username}`),
      })),
    },
    {
      title: words.configs,
      choices: (found?.configs ?? []).map(({ id, name, address, owner }) => ({
        key: id,
        title: name,
        more: `${owner.displayName}, ${address}`,
        icon: IconDeviceMobile,
        act: go("configs", { q: address }),
      })),
    },
    {
      title: words.codes,
      choices: (found?.codes ?? []).map(({ id, code, state }) => ({
        key: id,
        title: code,
        more: words.codeState[state],
        icon: IconTicket,
        act: go(`invites/${id}`),
      })),
    },
    {
      title: words.servers,
      choices: (found?.servers ?? []).map(({ id, name, endpoint }) => ({
        key: id,
        title: name,
        ...(endpoint === null ? {} : { more: endpoint }),
        icon: IconServer,
        act: go("servers", { q: name }),
      })),
    },
    {
      title: words.interfaces,
      choices: (found?.interfaces ?? []).map(({ id, name, subnet, serverId, serverName }) => ({
        key: id,
        title: name,
        more: `${serverName}, ${subnet}`,
        icon: IconNetwork,
        act: go("interfaces", { server: serverId }),
      })),
    },
    {
      title: words.tickets,
      choices: (found?.tickets ?? []).map(({ id, subject, status, owner }) => ({
        key: id,
        title: subject,
        more: `${owner.displayName}, ${words.ticketStatus[status]}`,
        icon: IconTicket,
        act: go("support", { section: "tickets", with: owner.id, ticket: id }),
      })),
    },
    { title: words.screens, choices: sections.filter(matches) },
    // A dozen settings before anything is typed would hide the actions.
    { title: words.settings, choices: sought.length === 0 ? [] : settings.filter(matches) },
    { title: words.actions, choices: acts.filter(matches) },
  ];
  const groups = (act ? [{ title: words.actions, choices: actsOnMembers(act) }] : everything()).filter(
    ({ choices }) => choices.length > 0,
  );
  const choices = groups.flatMap((group) => group.choices);

  const take = (choice: Choice) => {
    if (choice.stays !== true) onClose();
    choice.act();
  };
  const busy = q !== sent || search.isFetching;
  const { field, listId, option } = useChoices({
    choices,
    keyOf: ({ key }) => key,
    onTake: take,
    isOpen: true,
    isComing: busy,
  });
  const typable = (["extend", "block", "link"] as const).filter((name) => may(TYPED[name][0]));
  if (asked) return <TypedActDialog {...asked} />;
  return (
    <Sheet onClose={onClose} title={words.title}>
      <TextInput
        {...field}
        aria-label={words.field}
        placeholder={words.field}
        description={words.hint}
        value={typed}
        onFocus={() => {
          const before = takeTyped();
          if (before !== "") setTyped((now) => now + before);
        }}
        onChange={(event) => setTyped(event.currentTarget.value)}
        leftSection={<IconSearch size={20} stroke={1.6} aria-hidden="true" />}
        data-autofocus
      />
      {typed === "" && typable.length > 0 && (
        <p className={classes.examples}>
          {words.typedHint(typable.map((name) => words.typedExample[name]).join(", "))}
        </p>
      )}
      <div id={listId} role="listbox" className={classes.choices} aria-label={words.title}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: within a listbox a fieldset is not a group
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
        {busy ? words.searching : search.isError && q !== "" ? words.failed : choices.length > 0 ? "" : words.nothing}
      </p>
    </Sheet>
  );
}

const permitted = (act: TypedAct | null, may: ReturnType<typeof useRights>): TypedAct | null =>
  act !== null && may(TYPED[act.act][0]) ? act : null;
