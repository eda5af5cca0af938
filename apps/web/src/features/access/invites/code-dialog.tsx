import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { useEditWords } from "../../../ui/edit-words.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useEditForm } from "../../../ui/use-edit-form.ts";
import { CodeFields } from "./code-fields.tsx";
import { changeOf, EMPTY, formOf, newCodeOf, problemsOf } from "./code-form.ts";
import { CodeToPassOn } from "./code-to-pass-on.tsx";
import { expiresText, givesText, interfaceNames, usesText } from "./code-words.ts";
import { CLUB_INVITES } from "./queries.ts";
import { type InviteCode, interfacesQuery } from "./staff-queries.ts";
import { useStaffInvitesWords } from "./staff-words.ts";

interface Props {
  /** The code to change; null: a new one. */
  code: InviteCode | null;
  onClose: () => void;
}

/** Which field a refusal is about. */
const REFUSED: Record<string, "until" | "expires"> = {
  "member.subscription_in_past": "until",
  "invite.expires_in_past": "expires",
};

/** Creates an invite code and shows it for passing on, or changes one. */
export function CodeDialog({ code, onClose }: Props) {
  const words = useStaffInvitesWords();
  const edit = useEditWords();
  const interfaces = useQuery(interfacesQuery);
  // A single interface leaves nothing to choose.
  const only = interfaces.data?.length === 1 ? interfaces.data.map(({ id }) => id) : [];
  const { form, values, set, seen, conflict, ...editing } = useEditForm({
    row: code,
    fieldsOf: (row) => (row ? formOf(row) : { ...EMPTY, interfaces: only }),
    problemsOf: (fields) => problemsOf(fields, words.form),
    fieldOf: ({ code }) => REFUSED[code],
    changeOf,
    send: (change) => api("PUT /admin/invite-codes/{id}", { params: { id: code?.id ?? "" }, body: change }),
    add: (fields): Promise<InviteCode> => api("POST /admin/invite-codes", { body: newCodeOf(fields) }),
    saved: () => (code === null ? null : edit.saved),
    changes: CLUB_INVITES,
    lookAgain: async (_, seen) => {
      const now = await api("GET /admin/invite-codes/{id}", { params: { id: seen.id } });
      return { row: now, conflict: now };
    },
    onClose,
  });

  if (code === null && editing.saved)
    return (
      <Sheet
        onClose={onClose}
        title={words.made.title}
        footer={
          <Button fullWidth size="lg" onClick={onClose}>
            {words.made.done}
          </Button>
        }
      >
        <p>{words.made.lead}</p>
        <CodeToPassOn code={editing.saved.code} />
      </Sheet>
    );
  const none = interfaces.data?.length === 0;
  return (
    <EditSheet
      editing={editing}
      place={`invite.${code?.id ?? "new"}`}
      title={code ? words.form.editTitle(code.code) : words.form.addTitle}
      onClose={onClose}
      button={code ? undefined : { label: words.form.make, working: words.form.making }}
      isWaiting={!interfaces.data || none}
    >
      <Loading of={interfaces} failed={words.form.interfacesFailed} />
      {none && <Banner tone="move" title={words.form.interfacesNone} />}
      {interfaces.data && !none && (
        <>
          {conflict && (
            <Conflict
              found={conflict}
              title={words.form.conflict}
              now={[
                [words.list.gives, givesText(conflict, words)],
                [words.list.uses, usesText(conflict, words)],
                [words.list.expires, expiresText(conflict, words)],
                [words.list.interfaces, interfaceNames(conflict, interfaces.data).join(", ")],
                [words.list.template, conflict.template?.name ?? words.list.gone],
              ]}
            />
          )}
          <CodeFields
            value={values}
            onChange={set}
            problems={form.errors}
            interfaces={interfaces.data}
            usedAlready={seen?.currentUses ?? 0}
          />
          <FormMessage error={editing.error} failed={code ? words.form.saveFailed : words.form.addFailed} />
        </>
      )}
    </EditSheet>
  );
}
