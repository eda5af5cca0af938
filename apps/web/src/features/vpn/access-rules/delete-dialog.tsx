import { ApiError, api } from "../../../lib/api.ts";
import { AskFirst } from "../../../ui/ask-first.tsx";
import { RULES } from "./key.ts";
import type { Rule } from "./queries.ts";
import { useRulesWords } from "./words.ts";

/** Somebody else has already deleted it, which is the wanted result. */
const unlessGone = (error: unknown) => {
  if (!(error instanceof ApiError) || error.code !== "rule.not_found") throw error;
};

export function DeleteDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { removal: words } = useRulesWords();
  return (
    <AskFirst
      words={{ ...words, text: words[rule.type](rule.target) }}
      send={() => api("DELETE /admin/rules/{id}", { params: { id: rule.id } }).catch(unlessGone)}
      done={() => words.done(rule.target)}
      changes={RULES}
      onClose={onClose}
    />
  );
}
