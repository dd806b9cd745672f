import { sql } from 'drizzle-orm'
import { inTransaction, type Ctx, type ReadCtx } from '#server/context.ts'
import { ledgerAlarmMail } from '#server/mail/ledger-mail.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { BOOKS, differenceLine, type BookName, type Difference } from './books.ts'

/** What one audit has seen: all differences are counted, the first of each book are kept. */
export interface Audit {
  readonly transactions: number
  readonly differences: readonly Difference[]
  readonly differenceCount: number
}

/** Enough to see of what kind the fault is; the mail and the log stay short. */
const KEPT_OF_BOOK = 10

/** Hour of the night, UTC, in which all books are summed. */
const AUDIT_HOUR = 3

/** Compares all books, and changes nothing. Reads each as it stands at one moment. */
export async function auditLedger(ctx: Pick<ReadCtx, 'db'>): Promise<Audit> {
  const differences: Difference[] = []
  let differenceCount = 0
  for (const book of Object.keys(BOOKS) as BookName[]) {
    const { rows } = await ctx.db.execute<Record<'subject' | 'expected' | 'found' | 'all', string>>(
      sql`select subject, expected, found, count(*) over () as all
        from (${BOOKS[book]}) differing order by subject limit ${KEPT_OF_BOOK}`,
    )
    differenceCount += Number(rows[0]?.all ?? 0)
    for (const { subject, expected, found } of rows)
      differences.push({ book, subject, expected: Number(expected), found: Number(found) })
  }
  const counted = await ctx.db.execute<{ count: string }>(
    sql`select count(*) from wallet_transactions`,
  )
  return { transactions: Number(counted.rows[0]?.count ?? 0), differences, differenceCount }
}

/**
 * The nightly audit: one line in the log, and where books differ, one that is an error and a mail
 * to the operator. Changes nothing in the books: what is wrong has to be understood first.
 */
export async function auditNightly(ctx: Ctx): Promise<void> {
  const { transactions, differences, differenceCount } = await auditLedger(ctx)
  const facts = { transactions, books: Object.keys(BOOKS).length, differenceCount }
  ctx.log.info('ledger/audited', facts)
  if (differenceCount === 0) return
  ctx.log.error('ledger/differs', 'The books do not agree', { ...facts, differences })
  const { operatorMail } = ctx.settings
  if (operatorMail === null) {
    ctx.log.warn('ledger/no-operator-mail')
    return
  }
  await inTransaction(ctx, async (ctx) => {
    const lines = differences.map(differenceLine)
    const alarm = { differences: lines, differenceCount }
    await queueMail(ctx, ledgerAlarmMail(alarm, { to: operatorMail }))
  })
}

/** Seconds until the next night's audit. */
export function untilAudit(now: Date): number {
  const next = new Date(now)
  next.setUTCHours(AUDIT_HOUR, 0, 0, 0)
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1)
  return Math.ceil((next.getTime() - now.getTime()) / 1000)
}
