import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDb } from '#server/db/client.ts'
import { createLog } from '#server/log.ts'

it('a failed query is logged without the values it carried', async () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  const db = openDb(
    { host: '/nowhere', port: 1, user: 'unknown', database: 'none' },
    { onError: () => undefined },
  )
  const link = 'https://onecut.example/callback?token=secret'
  const failed: unknown = await db
    .execute(sql`insert into mails (recipient, text) values (${'mara@example.com'}, ${link})`)
    .catch((error: unknown) => error)
  await db.$client.end()
  expect(String(failed)).toContain(link)
  log.error('request/unexpected', failed)
  expect(lines.join()).toContain('insert into mails')
  expect(lines.join()).not.toMatch(/mara@example\.com|token=secret/)
})

it('another error is logged as it is', () => {
  const lines: string[] = []
  createLog((line) => lines.push(line)).error('event', new RangeError('too far'))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    error: { name: 'RangeError', message: 'too far' },
  })
})
