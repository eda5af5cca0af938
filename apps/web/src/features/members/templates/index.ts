export { templatesQuery } from "./queries.ts";
export { TemplateChoice } from "./template-choice.tsx";
export { TemplateField } from "./template-field.tsx";
export { TemplatesPanel } from "./templates-panel.tsx";
