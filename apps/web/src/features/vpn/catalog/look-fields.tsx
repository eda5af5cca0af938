import {
  GROUP_NAMES,
  MOST_PICTURE,
  MOST_SENTENCE,
  pictureOf,
  SERVICE_GROUPS,
  SERVICE_PICTURE,
} from "@krug/domain/service-groups";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Tile } from "../../../ui/tile.tsx";
import classes from "./catalog.module.css";
import type { Entry, Service } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

/** How members tell a service from others. */
export type Look = Pick<Service, "picture" | "description" | "group">;

export const lookOf = (entry: Entry | null): Look =>
  entry?.kind === "service"
    ? { picture: entry.picture, description: entry.description, group: entry.group }
    : { picture: "", description: "", group: "other" };

export const isPicture = ({ picture }: Look): boolean => SERVICE_PICTURE.test(picture.trim());

/** Only what differs. */
export const changedLook = (before: Look, now: Look): Partial<Look> => ({
  ...(now.picture === before.picture ? {} : { picture: now.picture }),
  ...(now.description === before.description ? {} : { description: now.description }),
  ...(now.group === before.group ? {} : { group: now.group }),
});

interface Props {
  name: string;
  look: Look;
  /** With the picture. */
  problem: React.ReactNode;
  onChange: (look: Look) => void;
}

export function LookFields({ name, look, problem, onChange }: Props) {
  const { edit } = useCatalogWords();
  const { language } = useSpeech();
  const set = (change: Partial<Look>) => onChange({ ...look, ...change });
  return (
    <>
      <div className={classes.look}>
        <TextInput
          label={edit.look.picture}
          description={edit.look.pictureMore}
          error={problem}
          value={look.picture}
          maxLength={MOST_PICTURE}
          leftSection={<Tile>{pictureOf({ name, picture: isPicture(look) ? look.picture.trim() : "" })}</Tile>}
          leftSectionWidth={48}
          onChange={(event) => set({ picture: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <NativeSelect
          label={edit.look.group}
          rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
          data={GROUP_NAMES.map((group) => ({ value: group, label: SERVICE_GROUPS[group][language] }))}
          value={look.group}
          onChange={(event) => set({ group: event.currentTarget.value as Look["group"] })}
        />
      </div>
      <TextInput
        label={edit.look.description}
        value={look.description}
        maxLength={MOST_SENTENCE}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
    </>
  );
}
