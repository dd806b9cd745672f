/** A reserved name (RFC 2606) until the product has its address. */
export const SUPPORT_MAIL = 'support@onecut.example'
