import { explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { useServicesWords } from "./services-words.ts";
import type { ChosenServices } from "./use-chosen-services.ts";

/** Why a press did not switch a service. */
export function WhyNot({ choice: { isLast, error } }: { choice: ChosenServices }) {
  const words = useServicesWords().routed;
  const { failure } = useText();
  return <FormMessage bad={isLast ? words.last : error && explain(error, words.failed, failure.silent)} />;
}
