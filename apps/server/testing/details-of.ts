/** A refusal's details besides its code and message. */
export const detailsOf = ({ body }: { body: unknown }) =>
  (body as { error: { details: Record<string, unknown> } }).error.details;
