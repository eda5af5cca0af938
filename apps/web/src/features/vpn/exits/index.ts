export { ExitDownField, ExitField, useExitText } from "./exit-field.tsx";
export { exitsQuery } from "./queries.ts";
