import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '#server/context.ts'

type MarkCtx = Pick<Ctx, 'clock'> & { readonly secrets: Pick<Ctx['secrets'], 'device'> }

/** A browser that signs in once in half a year stays a known one; each sign-in marks it again. */
export const DEVICE_KNOWN_S = 180 * 86_400

/**
 * The mark of a browser that has signed in to the account of an address, for a cookie: an id, the
 * second in which the mark ends, and an HMAC of both with the address. It names no person, only
 * this server can make one, and it opens nothing; strangers who use up the mails of an address
 * cannot use up those of its own devices (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies", read 2026-11-22).
 */
export function markDevice(ctx: MarkCtx, { email }: { readonly email: string }): string {
  const id = randomBytes(16).toString('base64url')
  const endsS = Math.floor(ctx.clock().getTime() / 1000) + DEVICE_KNOWN_S
  const content = `${id}.${endsS}`
  return `${content}.${sign(ctx.secrets.device.signing, content, email)}`
}

/** The id of a mark that was made for this address and has not ended, else null. */
export function knownDevice(
  ctx: MarkCtx,
  { mark, email }: { readonly mark: string | null; readonly email: string },
): string | null {
  const [id = '', endsS = '', given = ''] = (mark ?? '').split('.', 3)
  const bytes = Buffer.from(given)
  const isOurs = ctx.secrets.device.accepted.some((key) => {
    const expected = Buffer.from(sign(key, `${id}.${endsS}`, email))
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
  return isOurs && ctx.clock().getTime() < Number(endsS) * 1000 ? id : null
}

function sign(key: Uint8Array, content: string, email: string): string {
  return createHmac('sha256', key).update(`${content}:${email}`).digest('base64url')
}
