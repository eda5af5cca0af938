import { useDocumentTitle } from "@mantine/hooks";
import { useText } from "../lib/i18n/use-text.tsx";

/** "Вход · Круг"; the landing page bears the club's name alone. */
export function usePageTitle(title?: string) {
  const { common } = useText();
  useDocumentTitle(title ? `${title} · ${common.club}` : common.club);
}
