export { useAnswerTemplates } from "./use-answer-templates.tsx";
