/**
 * Mailboxes of deleted accounts. Only an HMAC of them is kept, under a key of this server, so that
 * the table alone tells no addresses.
 */
import { createHmac } from 'node:crypto'
import { inArray, sql } from 'drizzle-orm'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { mailboxOf, users } from '#server/db/schema.ts'

/** What is kept of a mailbox (`mailboxOf`). */
export function hashMailbox({ secrets }: Pick<Ctx, 'secrets'>, mailbox: string): string {
  return hashBy(secrets.mailbox.signing, mailbox)
}

function hashBy(key: Uint8Array, mailbox: string): string {
  return createHmac('sha256', key).update(mailbox).digest('hex')
}

/** Whether an account of this mailbox was deleted. */
export async function hadAccount(
  ctx: Pick<ReadCtx, 'db' | 'secrets'>,
  { mailbox }: { readonly mailbox: string },
): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(
      inArray(
        users.mailboxHash,
        ctx.secrets.mailbox.accepted.map((key) => hashBy(key, mailbox)),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** The mailbox of an address, by the same rule as the index. */
export async function readMailbox(
  ctx: Pick<ReadCtx, 'db'>,
  { email }: { readonly email: string },
): Promise<string> {
  const { rows } = await ctx.db.execute<{ mailbox: string }>(
    sql`select ${mailboxOf(sql`${email}::text`)} as mailbox`,
  )
  return rows[0]?.mailbox ?? email
}
