/** Whether this browser has passkeys, and for this page: public/before-paint.js looks. */
export const hasPasskeys = () => document.documentElement.dataset.passkeys !== "none";
