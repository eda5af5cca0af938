import { useDocumentTitle } from "@mantine/hooks";
import { useText } from "../lib/i18n/use-text.tsx";

/** "Вход · Круг". The landing page has only the club's name. `news`: how many items are unseen. */
export function usePageTitle(title?: string, news = 0) {
  const { common } = useText();
  useDocumentTitle(`${news > 0 ? `(${news}) ` : ""}${title ? `${title} · ` : ""}${common.club}`);
}
