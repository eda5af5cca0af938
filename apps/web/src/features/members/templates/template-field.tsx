import { NativeSelect } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { type Template, templatesQuery } from "./queries.ts";
import { termsText } from "./standing.ts";
import { useTemplatesWords } from "./words.ts";

interface Props {
  /** Empty: the default. */
  value: string;
  /** With the template that then applies, including the default; undefined: none does. */
  onChange: (id: string, template: Template | undefined) => void;
}

/** Which template newcomers start with. A club without templates has nothing to choose. */
export function TemplateField({ value, onChange }: Props) {
  const words = useTemplatesWords();
  const { language } = useSpeech();
  const templates = useQuery(templatesQuery).data ?? [];
  const usual = templates.find(({ isDefault }) => isDefault);
  const holding = (id: string) => (id === "" ? usual : templates.find((template) => template.id === id));
  if (templates.length === 0) return null;
  const shown = holding(value);
  return (
    <NativeSelect
      label={words.field.label}
      description={shown && termsText(shown, words, language)}
      rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
      data={[
        { value: "", label: usual ? words.field.usualNamed(usual.name) : words.field.usual },
        ...templates.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value, holding(event.currentTarget.value))}
    />
  );
}
