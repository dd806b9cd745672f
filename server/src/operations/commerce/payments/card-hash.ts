import { createHmac } from 'node:crypto'
import type { Ctx } from '#server/context.ts'

/**
 * What is kept of a card to know it again: an HMAC of the name that a provider gives it, under the
 * key of mailboxes, which is never replaced. Mailboxes hold an @, so that no card is one.
 */
export function hashCard(
  { secrets, payments }: Pick<Ctx, 'secrets' | 'payments'>,
  card: string,
): string {
  const name = `card:${payments.name}:${card}`
  return createHmac('sha256', secrets.mailbox.signing).update(name).digest('hex')
}
