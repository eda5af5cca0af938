import { useDocumentTitle } from "@mantine/hooks";
import { useText } from "../lib/i18n/use-text.tsx";

/** "Вход · Круг"; the landing page bears the club's name alone. `news`: how much there is that nobody has seen yet. */
export function usePageTitle(title?: string, news = 0) {
  const { common } = useText();
  useDocumentTitle(`${news > 0 ? `(${news}) ` : ""}${title ? `${title} · ` : ""}${common.club}`);
}
