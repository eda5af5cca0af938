export { CodeStep } from "./code-step.tsx";
export { broughtCode, forgetBroughtCode } from "./invitation.ts";
