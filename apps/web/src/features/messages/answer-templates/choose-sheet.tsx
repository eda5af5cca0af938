import { type AnswerFacts, filledIn } from "@krug/domain/answer-templates";
import { nameKey, wordsSought } from "@krug/domain/name-search";
import { ActionIcon, Button } from "@mantine/core";
import { IconPencil, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { SearchField } from "../../../ui/list-tools.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Sheet, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { useMay } from "../../club/staff/index.ts";
import classes from "./answer-templates.module.css";
import { type AnswerTemplate, answerTemplatesQuery } from "./queries.ts";
import { useAnswerTemplatesWords } from "./words.ts";

const TemplateForm = lazyDialog(() => import("./template-form.tsx").then(({ TemplateForm }) => TemplateForm));

/** Up to this many need no search. */
const FEW = 6;

interface Props {
  about: AnswerFacts;
  onChoose: (text: string) => void;
  onClose: () => void;
}

/** The staff's answer templates, as this member would read them. Admins manage them here too. */
export function ChooseSheet({ about, onChoose, onClose }: Props) {
  const words = useAnswerTemplatesWords();
  const templates = useQuery(answerTemplatesQuery);
  const mayChange = useMay("answer_templates.change");
  const [sought, setSought] = useState("");
  const [edited, setEdited] = useState<{ template: AnswerTemplate | null } | null>(null);
  const all = templates.data;
  const found = all?.filter((template) => isFound(template, sought));
  const choose = ({ content }: AnswerTemplate) => {
    onClose();
    onChoose(filledIn(content, about));
  };
  return (
    <>
      <Sheet
        onClose={onClose}
        title={words.title}
        parts={
          <>
            <SheetBody>
              <div className={classes.body}>
                {templates.isError && !all && (
                  <LoadFailed title={words.failed} error={templates.error} onRetry={() => void templates.refetch()} />
                )}
                {templates.isPending && <Waiting room={160} />}
                {all?.length === 0 && (
                  <div className={classes.none} role="status">
                    <Ring state="never" size={56} />
                    <p className={classes.noneTitle}>{words.none}</p>
                    <p>{mayChange ? words.noneLead : words.noneForModerator}</p>
                  </div>
                )}
                {all && all.length > 0 && <p className={classes.quiet}>{words.lead}</p>}
                {all && all.length > FEW && (
                  <div>
                    <SearchField label={words.search} value={sought} onChange={setSought} />
                  </div>
                )}
                {all && all.length > 0 && found?.length === 0 && (
                  <p className={classes.none} role="status">
                    {words.nothing}
                  </p>
                )}
                {found && found.length > 0 && (
                  <ul className={classes.list} aria-label={words.list}>
                    {found.map((template) => (
                      <li key={template.id}>
                        <button
                          type="button"
                          className={`${classes.template} k-focus`}
                          onClick={() => choose(template)}
                        >
                          <b>{template.title}</b>
                          <span>{filledIn(template.content, about)}</span>
                        </button>
                        {mayChange && (
                          <ActionIcon
                            aria-label={words.edit(template.title)}
                            title={words.edit(template.title)}
                            onClick={() => setEdited({ template })}
                          >
                            <IconPencil size={20} stroke={1.6} />
                          </ActionIcon>
                        )}
                      </li>
                    ))}
                  </ul>
                )}
              </div>
            </SheetBody>
            {mayChange && all && (
              <SheetFooter>
                <Button
                  size="lg"
                  fullWidth
                  variant={all.length === 0 ? "filled" : "outline"}
                  leftSection={<IconPlus size={20} stroke={1.6} aria-hidden="true" />}
                  onClick={() => setEdited({ template: null })}
                >
                  {words.add}
                </Button>
              </SheetFooter>
            )}
          </>
        }
      />
      {edited && <TemplateForm template={edited.template} onClose={() => setEdited(null)} />}
    </>
  );
}

/** Every typed word is in the title or the text. */
function isFound({ title, content }: AnswerTemplate, sought: string): boolean {
  const text = nameKey(`${title}\n${content}`);
  return wordsSought(sought).every((spellings) => spellings.some((word) => text.includes(word)));
}
