import { whyNotUsername } from "@krug/domain/account-rules";
import { NO_LIMIT } from "@krug/domain/config-rules";
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useUsersWords } from "../../lib/i18n/users.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { clubSettingsQuery } from "../system/index.ts";
import { LinkShown } from "./link-shown.tsx";
import { limitOf, MemberFields, type Problems, useProblems, type Wished } from "./member-form.tsx";
import { MEMBERS } from "./queries.ts";

const BLANK: Wished = {
  displayName: "",
  role: "user",
  hasLimit: true,
  limit: "",
  subscription: "none",
  until: "",
};

const limitFields = (limit: number): Pick<Wished, "hasLimit" | "limit"> =>
  limit === NO_LIMIT ? { hasLimit: false, limit: "" } : { hasLimit: true, limit: String(limit) };

const changesOf = (before: Wished, after: Wished): Partial<Wished> =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name as keyof Wished] !== value));

/** Adds a member, and shows the one-time link with which he sets his password. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const words = useUsersWords();
  const { failure } = useText();
  const queryClient = useQueryClient();
  const problemsOf = useProblems();
  const [username, setUsername] = useState("");
  const club = useQuery(clubSettingsQuery).data;
  const [typed, setTyped] = useState<Partial<Wished>>({});
  const form: Wished = { ...BLANK, ...(club ? limitFields(club.newMemberConfigLimit) : {}), ...typed };
  const set = (next: Wished) => setTyped({ ...typed, ...changesOf(form, next) });
  // What was not touched is the panel's to fill in: the limit of its settings, also where they could not be read.
  const isLimitTyped = typed.limit !== undefined || typed.hasLimit !== undefined;
  const [problems, setProblems] = useState<Problems & { username?: string }>({});
  const adding = useMutation({
    mutationFn: () =>
      api("POST /users", {
        body: {
          username: username.trim(),
          role: form.role,
          ...(isLimitTyped ? { vpnConfigLimit: limitOf(form) } : {}),
          ...(form.displayName.trim() === "" ? {} : { displayName: form.displayName.trim() }),
          ...(form.subscription === "date" ? { subscriptionEnd: form.until } : {}),
        },
      }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: MEMBERS }),
    onError: (error) => {
      if (error instanceof ApiError && error.code.startsWith("member.username"))
        setProblems({ username: error.message });
    },
  });

  if (adding.data)
    return (
      <Sheet
        opened
        onClose={onClose}
        title={words.add.doneTitle(adding.data.user.displayName)}
        footer={
          <Button fullWidth size="lg" onClick={onClose}>
            {words.link.done}
          </Button>
        }
      >
        <LinkShown link={adding.data.link} expiresAt={adding.data.expiresAt} />
      </Sheet>
    );
  const submit = () => {
    const found = {
      ...problemsOf({ ...form, hasLimit: isLimitTyped && form.hasLimit }, { nameNeeded: false }),
      ...(whyNotUsername(username.trim()) === null ? {} : { username: words.add.usernameWrong }),
    };
    setProblems(found);
    if (Object.keys(found).length === 0 && !adding.isPending) adding.mutate();
  };
  return (
    <FormSheet
      title={words.add.title}
      onClose={onClose}
      submit={{ label: words.add.submit, working: words.add.working, busy: adding.isPending }}
      onSubmit={submit}
    >
      <p>{words.add.lead}</p>
      <TextInput
        label={words.add.username}
        description={problems.username ? undefined : words.add.usernameHint}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        error={problems.username}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label={words.add.displayName}
        value={form.displayName}
        onChange={(event) => set({ ...form, displayName: event.currentTarget.value })}
        autoComplete="off"
      />
      <MemberFields value={form} onChange={set} problems={problems} isNew />
      <FormMessage
        bad={adding.error && !problems.username ? explain(adding.error, words.failures.add, failure.silent) : null}
      />
    </FormSheet>
  );
}
