import { randomUUID } from "node:crypto";
import type { Contract } from "@krug/contract/api";
import type { AnswerTemplateAnswer } from "@krug/contract/messages/answer-templates";
import { MOST_ANSWER_TEMPLATES, unknownPlaceholder } from "@krug/domain/answer-templates";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import * as repository from "./repository.ts";
import type { AnswerTemplateRow } from "./table.ts";

interface Parts extends Platform {
  audit: Audit;
}

export function makeAnswerTemplateRoutes({ db, transact, clock, audit }: Parts): Handlers<Contract["answerTemplates"]> {
  /** After the lock on all templates: titles and their number depend on each other. */
  const begin = async (tx: Tx) => {
    await lockPlace(tx, "answer_templates");
    return repository.all(tx);
  };
  const refuseUnfit = (all: readonly AnswerTemplateRow[], { id, title_key, content }: AnswerTemplateRow) => {
    if (all.some((row) => row.title_key === title_key && row.id !== id))
      refuse("answer_template.title_taken", { field: "title" });
    const placeholder = unknownPlaceholder(content);
    if (placeholder !== null) refuse("answer_template.placeholder_unknown", { field: "content", placeholder });
  };

  return {
    list: async () => (await repository.all(db)).map(shown),

    add: ({ actor, body }) =>
      transact(async (tx) => {
        const all = await begin(tx);
        if (all.length >= MOST_ANSWER_TEMPLATES) refuse("answer_template.too_many", { most: MOST_ANSWER_TEMPLATES });
        const row = {
          ...body,
          id: randomUUID(),
          title_key: repository.titleKey(body.title),
          created_at: clock.now().getTime(),
        };
        refuseUnfit(all, row);
        await repository.insert(tx, row);
        await audit.record(tx, actor.memberId, "answer_template.added", { target: row.id, after: seenOf(row) });
        return shown(row);
      }),

    change: ({ actor, params, body: { expected, ...input } }) =>
      transact(async (tx) => {
        const all = await begin(tx);
        const before = (await repository.lock(tx, params.id)) ?? refuse("answer_template.not_found");
        const fields = changedMeanwhile(seenOf(before), input, expected);
        if (fields.length > 0) refuse("answer_template.changed_meanwhile", { fields });
        const { title = before.title, content = before.content } = input;
        if (title === before.title && content === before.content) return shown(before);
        const after = { ...before, title, content, title_key: repository.titleKey(title) };
        refuseUnfit(all, after);
        await repository.update(tx, after);
        await audit.record(tx, actor.memberId, "answer_template.changed", {
          target: after.id,
          before: seenOf(before),
          after: seenOf(after),
        });
        return shown(after);
      }),

    remove: ({ actor, params }) =>
      transact(async (tx) => {
        const row = (await repository.lock(tx, params.id)) ?? refuse("answer_template.not_found");
        await repository.remove(tx, row.id);
        await audit.record(tx, actor.memberId, "answer_template.deleted", { target: row.id, before: seenOf(row) });
      }),
  };
}

/** For the audit. */
const seenOf = ({ title, content }: AnswerTemplateRow) => ({ title, content });
const shown = (row: AnswerTemplateRow): AnswerTemplateAnswer => ({ id: row.id, ...seenOf(row) });
