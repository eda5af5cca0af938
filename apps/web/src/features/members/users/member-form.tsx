import { HIGHEST_CONFIG_LIMIT, NO_LIMIT } from "@krug/domain/config-rules";
import { type TextName, textNames } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { ROLES, type Role } from "@krug/domain/roles";
import { TextInput } from "@mantine/core";
import type { ApiError } from "../../../lib/api.ts";
import { useLabels } from "./use-labels.ts";
import { useUsersWords } from "./words.ts";
import "../../../ui/form.css";
import { LimitField } from "../../../ui/limit-field.tsx";
import { Segments } from "../../../ui/segments.tsx";
import classes from "./users.module.css";

type Texts = Record<TextName<typeof MEMBER_FIELDS>, string>;

export const textsOf = (from: Texts): Texts =>
  Object.fromEntries(textNames(MEMBER_FIELDS).map((name) => [name, from[name].trim()])) as Texts;

/** What staff can set for a member, as form fields. */
export interface Wished extends Texts {
  role: Role;
  limit: string;
  hasLimit: boolean;
  subscription: "date" | "none" | "unlimited";
  /** YYYY-MM-DD */
  until: string;
}

export type Problems = Partial<Record<"displayName" | "limit" | "until", React.ReactNode>>;

export const limitOf = ({ hasLimit, limit }: Wished) => (hasLimit ? Number(limit) : NO_LIMIT);

interface Props {
  value: Wished;
  onChange: (value: Wished) => void;
  problems: Problems;
  /** For a new member: the outer form has the name, and 'unlimited' is not offered. */
  isNew?: boolean;
  /** Admins cannot change their own role, so that nobody loses it by mistake. */
  roleFixed?: boolean;
}

/** The fields that adding and changing a member share (specification, operator's side 5). */
export function MemberFields({ value, onChange, problems, isNew = false, roleFixed = false }: Props) {
  const { edit: words, roles } = useUsersWords();
  const labels = useLabels();
  const set = (change: Partial<Wished>) => onChange({ ...value, ...change });
  return (
    <>
      {!isNew && (
        <TextInput
          label={labels.displayName}
          value={value.displayName}
          onChange={(event) => set({ displayName: event.currentTarget.value })}
          error={problems.displayName}
          autoComplete="off"
        />
      )}
      {!roleFixed && (
        <Segments
          label={labels.role}
          value={value.role}
          onChange={(role) => set({ role })}
          choices={ROLES.map((role) => ({ value: role, label: roles[role] }))}
        />
      )}
      <div className={classes.pair}>
        <Segments
          label={words.subscription}
          value={value.subscription}
          onChange={(subscription) => set({ subscription })}
          choices={[
            { value: "date", label: words.untilDate },
            ...(isNew ? [] : [{ value: "unlimited" as const, label: words.unlimited }]),
            { value: "none", label: words.none },
          ]}
        />
        {value.subscription === "date" && (
          <TextInput
            type="date"
            label={words.date}
            description={words.dateHint}
            value={value.until}
            max="9999-12-31"
            onChange={(event) => set({ until: event.currentTarget.value })}
            error={problems.until}
          />
        )}
      </div>
      <LimitField
        words={{ label: words.limit, hint: isNew ? undefined : words.limitHint, none: words.noLimit }}
        isLimited={value.hasLimit}
        typed={value.limit}
        onLimit={(hasLimit) => set({ hasLimit })}
        onType={(limit) => set({ limit })}
        problem={problems.limit}
      />
    </>
  );
}

/** What is wrong with a form. The panel checks whether a day is over: it knows the club's date. */
export function useProblems() {
  const { edit: words } = useUsersWords();
  return (value: Wished, { nameNeeded }: { nameNeeded: boolean }): Problems => {
    const problems: Problems = {};
    if (nameNeeded && value.displayName.trim() === "") problems.displayName = words.nameEmpty;
    if (value.hasLimit && !(/^\d+$/.test(value.limit) && Number(value.limit) <= HIGHEST_CONFIG_LIMIT))
      problems.limit = words.limitWrong;
    if (value.subscription === "date" && value.until === "") problems.until = words.dateMissing;
    return problems;
  };
}

/** The field that a refusal is about. */
export const fieldOf = ({ code }: ApiError): "until" | undefined =>
  code === "member.subscription_in_past" ? "until" : undefined;
