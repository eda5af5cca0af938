import type { AnswerFacts } from "@krug/domain/answer-templates";
import { IconTextPlus } from "@tabler/icons-react";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import type { ComposerTool } from "../conversation/index.ts";
import { useAnswerTemplatesWords } from "./words.ts";

const ChooseSheet = lazyDialog(() => import("./choose-sheet.tsx").then(({ ChooseSheet }) => ChooseSheet));

/** Opens the staff's answer templates, as a tool of the text box. `about`: the member to answer. */
export function useAnswerTemplates(about: AnswerFacts): ComposerTool {
  const words = useAnswerTemplatesWords();
  return {
    label: words.title,
    icon: <IconTextPlus size={22} stroke={1.6} aria-hidden="true" />,
    dialog: ({ put, onClose }) => <ChooseSheet about={about} onChoose={put} onClose={onClose} />,
  };
}
