import { labelsOf } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";

/** Labels of a member's fields in forms and files. */
export function useLabels() {
  const { language } = useSpeech();
  const labels = labelsOf(MEMBER_FIELDS, language);
  return Object.fromEntries(
    Object.entries(labels).map(([name, label]) => [name, label.charAt(0).toUpperCase() + label.slice(1)]),
  ) as typeof labels;
}
