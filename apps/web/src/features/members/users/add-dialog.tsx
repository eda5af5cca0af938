import { whyNotUsername } from "@krug/domain/account-rules";
import { NO_LIMIT } from "@krug/domain/config-rules";
import { firstValues } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useEditing } from "../../../lib/use-editing.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { MEMBERS } from "../../club/staff/index.ts";
import { clubSettingsQuery } from "../../operation/system/index.ts";
import { TemplateField, templatesQuery } from "../templates/index.ts";
import { LinkSheet } from "./link-dialog.tsx";
import { fieldOf, limitOf, MemberFields, textsOf, useProblems, type Wished } from "./member-form.tsx";
import { useUsersWords } from "./words.ts";

interface Added extends Wished {
  username: string;
}

const BLANK: Added = {
  ...textsOf(firstValues(MEMBER_FIELDS)),
  username: "",
  role: "user",
  hasLimit: true,
  limit: "",
  subscription: "none",
  until: "",
};

const limitFields = (limit: number): Pick<Wished, "hasLimit" | "limit"> =>
  limit === NO_LIMIT ? { hasLimit: false, limit: "" } : { hasLimit: true, limit: String(limit) };

/** Adds a member, and shows the one-time link for setting the password. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const words = useUsersWords();
  const queryClient = useQueryClient();
  const problemsOf = useProblems();
  const club = useQuery(clubSettingsQuery).data;
  const templates = useQuery(templatesQuery).data;
  const [templateId, setTemplateId] = useState("");
  const template = templates?.find(({ id, isDefault }) => (templateId === "" ? isDefault : id === templateId));
  const limit = template?.configLimit ?? club?.newMemberConfigLimit;
  const { form, values, set, draft, changed } = useEditing<Added>({
    ...BLANK,
    ...(limit === undefined ? {} : limitFields(limit)),
  });
  const username = values.username.trim();
  // The panel fills in an untouched limit, even if its settings could not be loaded here.
  const isLimitTyped = changed.includes("limit") || changed.includes("hasLimit");
  const adding = useCommand({
    mutationFn: () =>
      api("POST /users", {
        body: {
          username,
          role: values.role,
          ...(templateId === "" ? {} : { templateId }),
          ...(isLimitTyped ? { vpnConfigLimit: limitOf(values) } : {}),
          ...(values.displayName.trim() === "" ? {} : { displayName: values.displayName.trim() }),
          ...(values.subscription === "date" ? { subscriptionEnd: values.until } : {}),
        },
      }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: MEMBERS }),
    onError: (error) => {
      const field = refusedField(error);
      if (field !== undefined) form.setErrors({ [field]: error.message });
    },
  });

  if (adding.data)
    return (
      <LinkSheet
        title={words.add.doneTitle(adding.data.user.displayName)}
        lead={words.link.lead}
        link={adding.data}
        onClose={onClose}
      />
    );
  const submit = () => {
    const found = {
      ...problemsOf({ ...values, hasLimit: isLimitTyped && values.hasLimit }, { nameNeeded: false }),
      ...(whyNotUsername(username) === null ? {} : { username: words.add.usernameWrong }),
    };
    form.setErrors(found);
    if (Object.keys(found).length === 0 && !adding.isPending) adding.mutate();
  };
  return (
    <FormSheet
      draft={draft("member.new")}
      asksBeforeLoss
      title={words.add.title}
      onClose={onClose}
      submit={{ label: words.add.submit, working: words.add.working, busy: adding.isPending }}
      onSubmit={submit}
    >
      <p>{words.add.lead}</p>
      <TextInput
        label={words.add.username}
        description={form.errors.username ? undefined : words.add.usernameHint}
        {...form.getInputProps("username")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <TextInput label={words.add.displayName} {...form.getInputProps("displayName")} autoComplete="off" />
      <TemplateField value={templateId} onChange={setTemplateId} />
      <MemberFields value={values} onChange={set} problems={form.errors} isNew />
      <FormMessage error={refusedField(adding.error) === undefined && adding.error} failed={words.failures.add} />
    </FormSheet>
  );
}

function refusedField(error: unknown): "username" | "until" | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.code.startsWith("member.username") ? "username" : fieldOf(error);
}
