import { MOST_GROUP_NAME_LETTERS } from "@krug/domain/group-rules";
import { Checkbox, TextInput } from "@mantine/core";
import { Loading } from "../../../ui/loading.tsx";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { changeOf } from "../../../lib/change-of.ts";
import { placeName } from "../../../lib/place-name.ts";
import { Choices } from "../../../ui/choices.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { inList, useEditForm } from "../../../ui/use-edit-form.ts";
import { MEMBERS, useViewed } from "../../club/staff/index.ts";
import classes from "./groups.module.css";
import { type Group, type GroupChange, groupsQuery, interfacesQuery } from "./queries.ts";
import { useGroupsWords } from "./words.ts";

interface Form {
  name: string;
  interfaces: readonly string[];
}
type Wish = Pick<Group, "name" | "interfaces">;

const formOf = (group: Group | null): Form => ({ name: group?.name ?? "", interfaces: group?.interfaces ?? [] });
const wishOf = ({ name, interfaces }: Form): Wish => ({ name: name.trim(), interfaces: [...interfaces] });

interface Props {
  /** null: a new one. */
  group: Group | null;
  onClose: () => void;
}

/** A group's name, and the interfaces that its members may use. */
export function GroupDialog({ group, onClose }: Props) {
  const { form: words } = useGroupsWords();
  const { viewedRole } = useViewed();
  const interfaces = useQuery(interfacesQuery);
  const { form, values, set, conflict, ...editing } = useEditForm({
    row: group,
    fieldsOf: formOf,
    problemsOf: (fields) => (fields.name.trim() === "" ? { name: words.nameEmpty } : {}),
    changeOf: (seen, fields): GroupChange => changeOf<Wish>(seen, wishOf(fields)),
    send: (change) => api("PUT /admin/groups/{id}", { params: { id: group?.id ?? "" }, body: change }),
    add: (fields) => api("POST /admin/groups", { body: wishOf(fields) }),
    saved: ({ name }) => words.saved(name),
    changes: MEMBERS,
    lookAgain: inList((client) => client.fetchQuery(groupsQuery(viewedRole))),
    fieldOf: ({ code }) => (code === "group.name_taken" ? "name" : undefined),
    onClose,
  });
  const turn = (id: string) =>
    set({
      ...values,
      interfaces: values.interfaces.includes(id)
        ? values.interfaces.filter((chosen) => chosen !== id)
        : [...values.interfaces, id],
    });
  const namesOf = (ids: readonly string[]) =>
    (interfaces.data ?? [])
      .filter(({ id }) => ids.includes(id))
      .map(placeName)
      .join(", ") || words.no;
  return (
    <EditSheet
      editing={editing}
      place={`group.${group?.id ?? "new"}`}
      title={group === null ? words.addTitle : words.editTitle(group.name)}
      onClose={onClose}
      isWaiting={!interfaces.data}
    >
      <Loading of={interfaces} failed={words.listFailed} room={200} />
      {interfaces.data && (
        <>
          {conflict && (
            <Conflict
              found={conflict}
              title={words.conflict}
              now={[
                [words.name, conflict.name],
                [words.interfaces, namesOf(conflict.interfaces)],
              ]}
            />
          )}
          <TextInput
            label={words.name}
            description={form.errors.name ? undefined : words.nameHint}
            {...form.getInputProps("name")}
            onChange={(event) => {
              set({ ...values, name: event.currentTarget.value });
              form.clearFieldError("name");
            }}
            maxLength={MOST_GROUP_NAME_LETTERS}
            autoComplete="off"
            data-autofocus
          />
          <Choices label={words.interfaces}>
            <p className={classes.lead}>{interfaces.data.length === 0 ? words.interfacesNone : words.interfacesHint}</p>
            {interfaces.data.map(({ id, isActive, ...place }) => (
              <Checkbox
                key={id}
                label={isActive ? placeName(place) : `${placeName(place)} (${words.inactive})`}
                checked={values.interfaces.includes(id)}
                onChange={() => turn(id)}
              />
            ))}
          </Choices>
          <FormMessage error={editing.error} failed={words.saveFailed} reason />
        </>
      )}
    </EditSheet>
  );
}
