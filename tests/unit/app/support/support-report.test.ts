import { expect, it } from 'vitest'
import { crashReport, supportReport } from '#src/app/support/support-report.ts'

it('APP-04 the copied details name the error, the page and the time, whatever was thrown', () => {
  const at = new Date('2026-11-21T09:00:00Z')
  const situation = { path: '/edits', browser: 'A browser', at, lines: [] }
  const details = crashReport(new TypeError('x is not a function'), situation)
  expect(details).toContain('TypeError: x is not a function')
  expect(details).toContain('Page: /edits')
  expect(details).toContain('2026-11-21T09:00:00.000Z')
  for (const thrown of [null, undefined, 'text', 42, {}])
    expect(crashReport(thrown, situation)).toContain('not an error')
})

it('APP-04 the message of a failure is copied without what could be personal', () => {
  const situation = { path: '/edits', browser: 'A browser', at: new Date(0), lines: [] }
  const details = crashReport(
    new Error('could not read "My holiday.mp4" of jane@example.org at https://x.y/a?token=1'),
    situation,
  )
  expect(details).toContain('Error: could not read')
  for (const secret of ['holiday', 'jane', 'token', 'x.y']) expect(details).not.toContain(secret)
})

it('the report lists the kept lines, oldest first, with the facts that are known', () => {
  const report = supportReport({
    path: '/uploads/new',
    browser: 'A browser',
    at: new Date('2026-11-22T09:00:00Z'),
    lines: [
      { atEpochMs: 0, level: 'warn', area: 'local', message: 'first', facts: { code: null } },
      { atEpochMs: 1000, level: 'error', area: 'page', message: 'second', facts: { name: 'E' } },
    ],
  })
  expect(report.split('\n')).toEqual([
    'Onecut, 2026-11-22T09:00:00.000Z',
    'Page: /uploads/new',
    'Browser: A browser',
    '',
    'Last messages:',
    '1970-01-01T00:00:00.000Z warn [local] first',
    '1970-01-01T00:00:01.000Z error [page] second (name=E)',
  ])
})
