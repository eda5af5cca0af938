import { NativeSelect } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import type { Template } from "./queries.ts";
import { termsText } from "./standing.ts";
import { useTemplatesWords } from "./words.ts";

interface Props {
  all: readonly Template[];
  chosen: Template;
  isFixed: boolean;
  onChoose: (id: string) => void;
}

/** One of the club's templates, with its terms. */
export function TemplateChoice({ all, chosen, isFixed, onChoose }: Props) {
  const words = useTemplatesWords();
  const { language } = useSpeech();
  return (
    <NativeSelect
      label={words.field.label}
      description={termsText(chosen, words, language)}
      rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen.id}
      disabled={isFixed}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  );
}
