import { useDocumentTitle } from "@mantine/hooks";
import { useText } from "../lib/i18n/use-text.tsx";

/** "Вход · Круг"; the landing page has the club's name alone. `news`: how much is unseen. */
export function usePageTitle(title?: string, news = 0) {
  const { common } = useText();
  useDocumentTitle(`${news > 0 ? `(${news}) ` : ""}${title ? `${title} · ` : ""}${common.club}`);
}
