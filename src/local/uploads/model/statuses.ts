/** What a gateway answers whose server is away; 511 is a captive portal's own status. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504, 511])

/** True where the server behind the answer is away: as good as no answer. */
export const isGatewayStatus = (status: number): boolean => GATEWAY.has(status)

/** True where a disk is full (507, RFC 4918), whatever answers. */
export const isFullStatus = (status: number): boolean => status === 507
