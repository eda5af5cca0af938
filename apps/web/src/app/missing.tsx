import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useNewcomerText } from "../lib/i18n/newcomer.ts";
import { Notice } from "../ui/notice.tsx";
import { usePageTitle } from "../ui/use-page-title.ts";

export function Missing() {
  const { missing } = useNewcomerText();
  usePageTitle(missing.title);
  return (
    <Notice ring="never" title={missing.title} lead={missing.lead}>
      <Button component={Link} to="/" size="lg">
        {missing.home}
      </Button>
    </Notice>
  );
}
