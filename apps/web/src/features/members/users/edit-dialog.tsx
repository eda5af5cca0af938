import { NO_LIMIT } from "@krug/domain/config-rules";
import { Checkbox } from "@mantine/core";
import { api } from "../../../lib/api.ts";
import { changeOf } from "../../../lib/change-of.ts";
import { clubDay } from "../../../lib/format.ts";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { useEditWords } from "../../../ui/edit-words.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import {
  isQuotaWrong,
  isSlowWrong,
  QuotaFields,
  quotaFields,
  quotaOf,
  slowOf,
  type WishedQuota,
} from "../../../ui/quota-fields.tsx";
import { isSpeedWrong, SpeedField, speedFields, speedOf, type WishedSpeed } from "../../../ui/speed-field.tsx";
import { useEditForm } from "../../../ui/use-edit-form.ts";
import { asViewed, MEMBERS, useViewed } from "../../club/staff/index.ts";
import { fieldOf, limitOf, MemberFields, textsOf, useProblems, type Wished } from "./member-form.tsx";
import type { ListedMember, MemberChange, MemberFile } from "./queries.ts";
import { useQuotaOfWords } from "./quota-words.ts";
import { useFailure } from "./use-failure.ts";
import { useLabels } from "./use-labels.ts";
import { useValues } from "./use-values.ts";
import { useUsersWords } from "./words.ts";

interface Form extends Wished, WishedQuota, WishedSpeed {
  isVip: boolean;
}
type Field = keyof NonNullable<MemberChange["expected"]>;

const formOf = (member: ListedMember): Form => ({
  ...textsOf(member),
  role: member.pendingRole ?? member.role,
  hasLimit: member.vpnConfigLimit !== NO_LIMIT,
  limit: member.vpnConfigLimit === NO_LIMIT ? "" : String(member.vpnConfigLimit),
  subscription: member.isUnlimited ? "unlimited" : member.subscriptionEnd === null ? "none" : "date",
  until: member.subscriptionEnd === null ? "" : clubDay(member.subscriptionEnd),
  ...quotaFields(member),
  ...speedFields(member.speedMbit),
  isVip: member.isVip,
});

/** Only the differences, with the values seen: the panel refuses if those have changed. */
function memberChange(seen: ListedMember, form: Form): MemberChange {
  const before = formOf(seen);
  const isKept = (...names: (keyof Form)[]) => names.every((name) => form[name] === before[name]);
  const change = changeOf(
    { ...seen, role: before.role },
    {
      ...textsOf(form),
      role: form.role,
      vpnConfigLimit: limitOf(form),
      quotaBytes: isKept("hasQuota", "gigabytes") ? seen.quotaBytes : quotaOf(form),
      quotaAtEnd: form.hasQuota ? form.quotaAtEnd : seen.quotaAtEnd,
      quotaSlowMbit: slowOf(form, seen.quotaSlowMbit),
      speedMbit: speedOf(form),
      isVip: form.isVip,
    },
  );
  if (isKept("subscription") && (form.subscription !== "date" || isKept("until"))) return change;
  const isUnlimited = form.subscription === "unlimited";
  return {
    ...change,
    ...(isUnlimited === seen.isUnlimited ? {} : { isUnlimited }),
    // An unlimited subscription keeps the date, for when it is no longer unlimited.
    ...(isUnlimited ? {} : { subscriptionEnd: form.subscription === "date" ? form.until : null }),
    expected: { ...change.expected, isUnlimited: seen.isUnlimited, subscriptionEnd: seen.subscriptionEnd },
  };
}

interface Props {
  member: ListedMember;
  onClose: () => void;
}

/** A sheet with a member's name, role, limit and subscription. */
export function EditDialog({ member, onClose }: Props) {
  const { edit: words } = useUsersWords();
  const quota = useQuotaOfWords();
  const labels = useLabels();
  const edit = useEditWords();
  const { me, viewedRole } = useViewed();
  const inWords = useValues();
  const failureOf = useFailure();
  const problemsOf = useProblems();
  const { form, values, set, conflict, ...editing } = useEditForm({
    row: member,
    fieldsOf: formOf,
    problemsOf: (fields, seen) => ({
      ...problemsOf(fields, { nameNeeded: true }),
      ...(isQuotaWrong(fields, formOf(seen)) ? { gigabytes: quota.wrong } : {}),
      ...(isSlowWrong(fields) ? { slow: true } : {}),
      ...(isSpeedWrong(fields) ? { speed: true } : {}),
    }),
    changeOf: memberChange,
    fieldOf,
    send: (change) => api("PUT /users/{id}", { params: { id: member.id }, body: change }),
    saved: () => edit.saved,
    changes: MEMBERS,
    lookAgain: async (error) => {
      const file = await api("GET /admin/users/{id}", { params: { id: member.id }, query: asViewed(viewedRole) });
      const fields = (Array.isArray(error.details.fields) ? error.details.fields : []) as Field[];
      return {
        row: file.member as ListedMember,
        conflict: { who: whoChanged(file, fields), changes: fields.map((field) => inWords(field, file.member)) },
      };
    },
    onClose,
  });
  return (
    <EditSheet
      editing={editing}
      place={`member.${member.id}`}
      title={words.title(member.displayName)}
      onClose={onClose}
    >
      {conflict && (
        <Conflict
          found={conflict}
          title={conflict.who === null ? words.conflictUnknown : words.conflict(conflict.who)}
          now={conflict.changes}
        />
      )}
      <MemberFields value={values} onChange={set} problems={form.errors} roleFixed={member.id === me.id} />
      <QuotaFields
        value={values}
        onChange={(change) => set({ ...values, ...change })}
        problem={form.errors.gigabytes}
        isSlowWrong={Boolean(form.errors.slow)}
        words={{ ...quota, atEnd: labels.quotaAtEnd }}
      />
      <SpeedField
        value={values}
        onChange={(change) => set({ ...values, ...change })}
        isWrong={Boolean(form.errors.speed)}
      />
      <Checkbox label={words.vip} {...form.getInputProps("isVip", { type: "checkbox" })} />
      <FormMessage error={editing.error} failed={failureOf(editing.sent ?? {})} />
    </EditSheet>
  );
}

/** Who last changed one of these fields, by the history. A payment changes the subscription too. */
function whoChanged({ history }: MemberFile, fields: readonly Field[]): string | null {
  const isAbout = ({ after }: MemberFile["history"][number]) => fields.some((field) => field in (after ?? {}));
  return history.find(isAbout)?.by?.displayName ?? null;
}
