export { CodeStep } from "./code-step.tsx";
