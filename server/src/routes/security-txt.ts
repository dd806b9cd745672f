import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'

const PATH = '/.well-known/security.txt'
/** Who reads it later asks again: an address that is not used any more must not be kept. */
const GOOD_FOR_MS = 90 * 24 * 60 * 60 * 1000

/**
 * `/.well-known/security.txt` (RFC 9116): where holes of this server are reported. There is none
 * without the operator's address, because another one would reach no person.
 */
export function createSecurityTxt({ settings, clock }: Pick<Deps, 'settings' | 'clock'>): Hono {
  const app = new Hono()
  const { securityContact, publicOrigin } = settings
  if (securityContact === null) return app
  app.get(PATH, (c) => {
    const expires = new Date(clock().getTime() + GOOD_FOR_MS).toISOString().slice(0, 10)
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}T00:00:00Z`,
      'Preferred-Languages: en',
      `Canonical: ${publicOrigin}${PATH}`,
    ]
    return c.text(`${lines.join('\n')}\n`, 200, { 'cache-control': 'no-store' })
  })
  return app
}
