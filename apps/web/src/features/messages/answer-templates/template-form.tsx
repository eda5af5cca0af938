import { MOST_ANSWER_LETTERS, MOST_ANSWER_TITLE_LETTERS, unknownPlaceholder } from "@krug/domain/answer-templates";
import { Button, Textarea, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { changeOf } from "../../../lib/change-of.ts";
import { Conflict } from "../../../ui/conflict.tsx";
import { Deletion } from "../../../ui/deletion.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { inList, useEditForm } from "../../../ui/use-edit-form.ts";
import classes from "./answer-templates.module.css";
import { ANSWER_TEMPLATES, type AnswerTemplate, type AnswerTemplateChange, answerTemplatesQuery } from "./queries.ts";
import { useAnswerTemplatesWords } from "./words.ts";

type Form = Pick<AnswerTemplate, "title" | "content">;

const trimmed = ({ title, content }: Form): Form => ({ title: title.trim(), content: content.trim() });

interface Props {
  /** null: a new one. */
  template: AnswerTemplate | null;
  onClose: () => void;
}

/** One answer template, for admins to write, change and delete. */
export function TemplateForm({ template, onClose }: Props) {
  const { form: words, deletion } = useAnswerTemplatesWords();
  const [isDeleting, setIsDeleting] = useState(false);
  const problemIn = (content: string) => {
    const unknown = unknownPlaceholder(content);
    return content.trim() === "" ? words.contentEmpty : unknown === null ? undefined : words.unknown(unknown);
  };
  const { form, conflict, ...editing } = useEditForm({
    row: template,
    fieldsOf: (row): Form => ({ title: row?.title ?? "", content: row?.content ?? "" }),
    problemsOf: ({ title, content }) => ({
      ...(title.trim() === "" ? { title: words.titleEmpty } : {}),
      ...(problemIn(content) ? { content: problemIn(content) } : {}),
    }),
    changeOf: (seen, fields): AnswerTemplateChange => changeOf(seen, trimmed(fields)),
    send: (change) =>
      api("PUT /admin/support/answer-templates/{id}", { params: { id: template?.id ?? "" }, body: change }),
    add: (fields) => api("POST /admin/support/answer-templates", { body: trimmed(fields) }),
    saved: ({ title }) => words.saved(title),
    changes: ANSWER_TEMPLATES,
    lookAgain: inList((client) => client.fetchQuery(answerTemplatesQuery)),
    fieldOf: ({ code }) =>
      code === "answer_template.title_taken"
        ? "title"
        : code === "answer_template.placeholder_unknown"
          ? "content"
          : undefined,
    onClose,
  });
  return (
    <>
      <EditSheet
        editing={editing}
        place={`answer.${template?.id ?? "new"}`}
        title={template === null ? words.addTitle : words.editTitle}
        onClose={onClose}
      >
        {conflict && (
          <Conflict
            found={conflict}
            title={words.conflict}
            now={[
              [words.title, conflict.title],
              [words.content, conflict.content],
            ]}
          />
        )}
        <TextInput
          label={words.title}
          description={form.errors.title ? undefined : words.titleHint}
          {...form.getInputProps("title")}
          maxLength={MOST_ANSWER_TITLE_LETTERS}
          autoComplete="off"
          data-autofocus
        />
        <Textarea
          label={words.content}
          description={form.errors.content ? undefined : words.contentHint}
          {...form.getInputProps("content")}
          maxLength={MOST_ANSWER_LETTERS}
          autosize
          minRows={4}
          maxRows={12}
        />
        {template && (
          <Button
            variant="subtle"
            data-danger
            className={classes.remove ?? ""}
            leftSection={<IconTrash size={18} stroke={1.6} aria-hidden="true" />}
            onClick={() => setIsDeleting(true)}
          >
            {words.remove}
          </Button>
        )}
        <FormMessage error={editing.error} failed={words.failed} reason />
      </EditSheet>
      {isDeleting && template && (
        <Deletion
          words={deletion}
          name={template.title}
          remove={() => api("DELETE /admin/support/answer-templates/{id}", { params: { id: template.id } })}
          list={ANSWER_TEMPLATES}
          onClose={() => setIsDeleting(false)}
          onDeleted={onClose}
        />
      )}
    </>
  );
}
