export { CodeStep } from "./code-step.tsx";
export { forgetBroughtCode } from "./invitation.ts";
