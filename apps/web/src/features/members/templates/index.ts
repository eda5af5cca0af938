export { templatesQuery } from "./queries.ts";
export { TemplateField } from "./template-field.tsx";
export { TemplatesPanel } from "./templates-panel.tsx";
