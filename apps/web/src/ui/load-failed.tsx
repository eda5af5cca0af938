import { Button } from "@mantine/core";
import { ApiError } from "../lib/api.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { Banner } from "./banner.tsx";

interface Props {
  /** What could not be loaded. */
  title: string;
  error: unknown;
  onRetry: () => void;
}

/** What could not be loaded, why, and a retry button. */
export function LoadFailed({ title, error, onRetry }: Props) {
  const { common, failure } = useText();
  const retry = (
    <Button variant="outline" onClick={onRetry}>
      {common.retry}
    </Button>
  );
  return (
    <Banner tone="broken" live title={title} action={retry}>
      {error instanceof ApiError ? error.message : failure.silent}
    </Banner>
  );
}
