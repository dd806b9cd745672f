import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { projectRoot } from '#scripts/project-root.ts'
import { sourceFiles } from '#scripts/source-files.ts'
import { openDb } from '#server/db/client.ts'
import { createLog } from '#server/log.ts'

it('a failed query is logged without the values it carried', async () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  const db = openDb(
    { host: '/nowhere', port: 1, user: 'unknown', database: 'none' },
    { onError: () => undefined },
  )
  // It waits for no database.
  Object.assign(db.$client.options, { connectionTimeoutMillis: 1 })
  const link = 'https://onecut.example/callback?token=secret'
  const failed: unknown = await db
    .execute(sql`insert into mails (recipient, text) values (${'mara@example.com'}, ${link})`)
    .catch((error: unknown) => error)
  await db.$client.end()
  expect(String(failed)).toContain(link)
  log.error('request/unexpected', failed)
  log.warn('mail/not-sent', { mailId: 'one', error: failed })
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toContain('insert into mails')
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

it('SCL-05 what an error repeats of addresses and links is not logged', () => {
  const lines: string[] = []
  const said = '550 <mara@mail.example.com> refused, see https://drive.example/f?token=secret now'
  createLog((line) => lines.push(line)).warn('queue/delivery-failed', { error: new Error(said) })
  expect(lines.join()).not.toMatch(/mara|secret/)
  const { error } = JSON.parse(lines[0] ?? '') as { error: { message: string; stack: string } }
  expect(error.message).toBe('550 <…@…> refused, see https://drive.example/… now')
  expect(error.stack).toContain('log.test.ts')
})

it('every error is logged as a whole, so that its message is never written unread', async () => {
  const files = await sourceFiles(projectRoot, ['server/src'])
  const calls = await Promise.all(
    files.map(async (file) => callsOfLog(await readFile(join(projectRoot, file), 'utf8'))),
  )
  expect(calls.flat().length).toBeGreaterThan(20)
  const unread = calls.flat().filter((call) => /\bString\(|\b(?:error|cause)\.message\b/.test(call))
  expect(unread).toEqual([])
})

/** The text of each call of the log, up to the bracket that closes it. */
function callsOfLog(source: string): string[] {
  return [...source.matchAll(/\blog\.(?:info|warn|error)\(/g)].map(({ index }) => {
    let depth = 0
    for (let at = source.indexOf('(', index); at < source.length; at += 1) {
      if (source[at] === '(') depth += 1
      if (source[at] === ')') depth -= 1
      if (depth === 0) return source.slice(index, at + 1)
    }
    return source.slice(index)
  })
}
